"""Measures sections anew, keeps their results and writes docs/strength.md.

python -m tools.strength ladder bids      these sections
python -m tools.strength --page           the page alone, from the results there are
"""

from __future__ import annotations

import argparse
import sys
import time

from bigpepper.workers import cores
from tools.strength import folder
from tools.strength.page import page
from tools.strength.sections import SECTIONS, Run


def main(arguments: list[str] | None = None) -> int:
    """Measure; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", metavar="section", help=f"of {', '.join(SECTIONS)}")
    parser.add_argument("--page", action="store_true", help="write the page, and measure nothing")
    parser.add_argument("--minutes", type=float, default=55, help="for each section (default 55)")
    parser.add_argument("--processes", type=int, default=cores(), help="default: all cores")
    given = parser.parse_args(arguments)
    if unknown := [name for name in given.sections if name not in SECTIONS]:
        parser.error(f"there is no section {', '.join(unknown)}; there are {', '.join(SECTIONS)}")
    if not given.sections and not given.page:
        parser.error(f"name sections ({', '.join(SECTIONS)}), or --page")
    for section in given.sections:
        measure(section, given.minutes, given.processes)
    folder.PAGE.write_text(page(), "utf-8")
    return 0


def measure(section: str, minutes: float, processes: int) -> None:
    """One section, within its time."""
    print(f"{section}: {minutes:g} minutes at most, on {processes} cores; Ctrl-C keeps what is played.", flush=True)
    run = Run(section, time.monotonic() + 60 * minutes, processes, lambda line: print("  " + line, flush=True))
    folder.write(section, SECTIONS[section](run))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("Stopped; the same command goes on from here.", file=sys.stderr)
        sys.exit(130)
