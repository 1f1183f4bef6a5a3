"""`python -m bigpepper` is the command `bigpepper`."""

from bigpepper.cli import main

if __name__ == "__main__":
    main()
