#!/usr/bin/env python3
"""Runs a command that has to end within a number of seconds, and ends all that it has started when the time is up or this is stopped.

    scripts/within.py 3600 cargo test --release --workspace --test sweep -- --whole
"""

import os
import signal
import subprocess
import sys

# What is asked to end gets this many seconds.
PATIENCE = 60


def main() -> None:
    if len(sys.argv) < 3 or not sys.argv[1].isdecimal():
        sys.exit(__doc__)
    limit, command = int(sys.argv[1]), sys.argv[2:]
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    # A group of its own. An interrupt from the keyboard reaches it only through this process.
    running = subprocess.Popen(command, start_new_session=True)
    try:
        status = running.wait(timeout=limit)
    except subprocess.TimeoutExpired:
        sys.exit(f"not done within {limit} s: {' '.join(command)}")
    finally:
        end(running)
    sys.exit(status if status >= 0 else 128 - status)


def end(running: subprocess.Popen) -> None:
    """Ends what is left of the group."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(running.pid, number)
            running.wait(timeout=PATIENCE)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            pass


if __name__ == "__main__":
    main()
