"""`make bench`: every benchmark, or those named: `python -m bench euchre startup`."""

from __future__ import annotations

import sys
from importlib import import_module

from bench.report import heading

BENCHMARKS = ("startup", "euchre", "vector", "solver")


def main(names: list[str]) -> None:
    """Run the named benchmarks, all by default."""
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        sys.exit(f"There is no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}.")
    print(heading())
    for name in names or BENCHMARKS:
        import_module(f"bench.{name}").run()


if __name__ == "__main__":
    main(sys.argv[1:])
