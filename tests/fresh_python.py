"""Interpreters of their own for tests, quickly: forks of one that has imported numba, and nothing of ours.

A real one needs two seconds until numba is imported and has compiled its first function, a fork some hundredths. What
is about the start or the end of an interpreter itself runs a real one; so does what has another setting of numba.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
import types
from collections.abc import Callable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

Done = subprocess.CompletedProcess[str]

LIMIT: Final = 120  # seconds, then an interpreter is ended

# One that numba does not know: kernels compiled under it are apart from all others in the cache.
A_SETTING: Final = "NUMBA_A_SETTING_TO_COME"

# Settings of numba that may differ from those of the process that forks.
_READ_LATE: Final = {"NUMBA_CACHE_DIR", A_SETTING}


def python(*arguments: str, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Done:
    """Run Python with ``-c code`` or ``-m module`` and more arguments, as :func:`subprocess.run` would."""
    return start_python(*arguments, cwd=cwd, env=env)()


def start_python(
    *arguments: str, cwd: Path | None = None, env: Mapping[str, str] | None = None, is_real: bool = False
) -> Callable[[], Done]:
    """Begin to run Python; what is returned waits for its end."""
    environment = dict(os.environ if env is None else env)
    folder = str(cwd or Path.cwd())
    if (
        is_real
        or not hasattr(os, "fork")
        or find_spec("numba") is None
        or _numba_settings(environment) != _numba_settings(os.environ)
    ):
        return _start_real(arguments, folder, environment)
    near, far = socket.socketpair()
    with far:
        socket.send_fds(_forker(), [b"."], [far.fileno()])
    near.sendall(json.dumps((arguments, folder, environment)).encode())
    near.shutdown(socket.SHUT_WR)

    def wait() -> Done:
        with near:
            code, out, said = json.loads(_read_all(near))
        return subprocess.CompletedProcess(arguments, code, out, said)

    return wait


def _start_real(arguments: tuple[str, ...], folder: str, environment: dict[str, str]) -> Callable[[], Done]:
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )

    def wait() -> Done:
        out, said = process.communicate(timeout=LIMIT)
        return subprocess.CompletedProcess(arguments, process.returncode, out, said)

    return wait


def _numba_settings(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith("NUMBA_") and name not in _READ_LATE}


def _read_all(connection: socket.socket) -> str:
    with connection.makefile(encoding="utf-8") as reader:
        return reader.read()


@cache
def _forker() -> socket.socket:
    """A connection to the process that forks; that ends when this one does."""
    near, far = socket.socketpair()
    with far:
        process = subprocess.Popen([sys.executable, __file__, str(far.fileno())], pass_fds=[far.fileno()])
    atexit.register(process.wait)
    atexit.register(near.close)  # first
    return near


def _next_job(jobs: socket.socket) -> Any:
    """What to run; returns in forks only, one for each job."""
    running = 0
    while True:
        _, received, _, _ = socket.recv_fds(jobs, 1, 1)
        while running and os.waitpid(-1, 0 if not received else os.WNOHANG)[0]:
            running -= 1
        if not received:
            os._exit(0)
        (number,) = received
        if not os.fork():
            jobs.close()
            with socket.socket(fileno=number) as connection:
                return _fork_watched(connection)
        os.close(number)
        running += 1


def _fork_watched(connection: socket.socket) -> Any:
    """A job, in a fork whose exit code and output its parent sends when it ends."""
    job = json.loads(_read_all(connection))
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as said:
        child = os.fork()
        if not child:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(out.fileno(), 1)
            os.dup2(said.fileno(), 2)
            signal.alarm(LIMIT)
            return job
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        said.seek(0)
        connection.sendall(json.dumps((code, out.read(), said.read())).encode())
    os._exit(0)


def _exit_code_of(arguments: list[str], folder: str, environment: dict[str, str]) -> int:
    """Do what Python does with these arguments, in this folder and environment."""
    try:
        _run(arguments, folder, environment)
        return 0
    except SystemExit as ended:
        if ended.code is None or isinstance(ended.code, int):
            return ended.code or 0
        print(ended.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()
        sys.stdout.flush()
        sys.stderr.flush()


def _run(arguments: list[str], folder: str, environment: dict[str, str]) -> None:
    from numba.core import config

    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    config.reload_config()
    sys.dont_write_bytecode = bool(environment.get("PYTHONDONTWRITEBYTECODE"))
    sys.orig_argv = [sys.executable, *arguments]
    option, what, *more = arguments
    searched = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.path[:0] = ["" if option == "-c" else folder, *searched]
    if option == "-c":
        main = types.ModuleType("__main__")
        sys.modules["__main__"] = main
        sys.argv = ["-c", *more]
        exec(compile(what, "<string>", "exec"), main.__dict__)
    else:
        assert option == "-m"
        sys.argv = [what, *more]
        runpy.run_module(what, run_name="__main__", alter_sys=True)


def _import_numba() -> None:
    """And let it compile once, which sets up the compiler."""
    import numba

    del sys.path[0]  # the folder of the tests
    numba.njit("f8(f8)")(lambda x: x + 1.0)
    gc.freeze()


if __name__ == "__main__":
    _import_numba()
    os._exit(_exit_code_of(*_next_job(socket.socket(fileno=int(sys.argv[1])))))
