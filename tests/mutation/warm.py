"""A pytest that has its libraries loaded already.

    warm.py serve SOCKET
    warm.py ask SOCKET SECONDS PYTEST-ARGUMENT ...

Every mutant is examined by a pytest of its own, and most of its time would go into loading
libraries that no mutant touches. The server loads these, and nothing of the project; for each
request it forks a child that runs pytest. ``ask`` ends with 0 if all tests passed, and with 1 if
not, or if they took more seconds of processor time than they may: a mutant that never ends.
"""

from __future__ import annotations

import json
import os
import resource
import socket
import sys


def serve(address: str) -> None:
    """Answer requests until this process is ended."""
    import beartype
    import flint
    import hypothesis.strategies
    import numpy.random
    import pytest
    import scipy.stats

    assert all((beartype, flint, hypothesis.strategies, numpy.random, scipy.stats))
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(address)
        server.listen()
        while True:
            connection, _ = server.accept()
            with connection, connection.makefile("rw") as file:
                seconds, arguments = json.loads(file.readline())
                child = os.fork()
                if child == 0:
                    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
                    silence = os.open(os.devnull, os.O_WRONLY)
                    os.dup2(silence, 1)
                    os.dup2(silence, 2)
                    # It warns that it cannot look into what is loaded already; nothing asks it to.
                    quiet = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
                    os._exit(int(pytest.main([*quiet, *arguments])))
                _, status = os.waitpid(child, 0)
                file.write(f"{0 if status == 0 else 1}\n")


def ask(address: str, seconds: int, arguments: list[str]) -> int:
    """Have pytest run and return its verdict."""
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(address)
        with server.makefile("rw") as file:
            file.write(json.dumps([seconds, arguments]) + "\n")
            file.flush()
            return int(file.readline())


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve", address]:
            serve(address)
        case ["ask", address, seconds, *arguments]:
            sys.exit(ask(address, int(seconds), arguments))
        case _:
            sys.exit(__doc__)
