"""Runs a program under limits and writes its exit code and peak memory: `python launcher.py RESULT LIMITS PROGRAM …`.

A small separate process, because the peak memory of a child includes that of the process that forked it.
"""

import json
import os
import resource
import sys

result, limits, *command = sys.argv[1:]
child = os.fork()
if child == 0:
    for kind, most in json.loads(limits).items():
        resource.setrlimit(int(kind), (most, most))
    os.execv(command[0], command)
_, status, used = os.wait4(child, 0)
with open(result, "w") as file:  # noqa: PTH123
    json.dump([os.waitstatus_to_exitcode(status), used.ru_maxrss * 1024], file)
