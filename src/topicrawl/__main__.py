"""The console script, and `python -m topicrawl`.

Nothing is imported before an interrupt is taken care of: modules take longer to load than a person to press Ctrl-C.
"""

import signal

BEFORE = signal.getsignal(signal.SIGINT)
if BEFORE is signal.default_int_handler:  # else whoever started us wants none
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ends the process without a traceback


def main() -> None:
    """Run the command line."""
    from topicrawl.cli import main as command_line

    signal.signal(signal.SIGINT, BEFORE)
    command_line()


if __name__ == "__main__":
    main()
