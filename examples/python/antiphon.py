"""Antiphon for Python: heals histories and request bodies, and starts the proxy. Only the standard library is needed, and Node.

    from antiphon import Antiphon, proxy

    with Antiphon() as antiphon:
        messages = antiphon.heal(messages, provider="openai")

    with proxy("https://api.openai.com") as url:
        client = OpenAI(base_url=f"{url}/v1")
"""

import json
import os
import re
import subprocess
import threading
import weakref
from collections import deque
from contextlib import AbstractContextManager, contextmanager, suppress

COMMAND = ["npx", "antiphon"]


class AntiphonError(Exception):
    """A request that could not be healed: `code` is stable, `hint` says what to do."""

    def __init__(self, code, message, hint=None):
        super().__init__(message if hint is None else f"{message} ({hint})")
        self.code, self.hint = code, hint


class Antiphon(AbstractContextManager):
    """One process that heals any number of requests. It may be used by several threads, and after a fork."""

    def __init__(self, command=None):
        self._words = [*(command or COMMAND), "heal", "--stdio"]
        self._process = self._start()
        self._lock = threading.RLock()
        self._is_closed = False
        _all.add(self)

    def repair(self, body, provider=None, format=None, model=None):
        """The healed body, whether it changed, each repair, and what remains wrong."""
        asked = {"body": body, "for": provider, "format": format, "model": model}
        line = json.dumps({key: value for key, value in asked.items() if value is not None})
        with self._lock:
            result = json.loads(self._ask(line))
        if "error" in result:
            raise AntiphonError(**result["error"])
        return result

    def _start(self):
        return subprocess.Popen(self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def _ask(self, line):
        if self._is_closed:
            raise AntiphonError("unreadable", "the antiphon process has ended")
        self._process = self._process or self._start()
        try:
            with suppress(BrokenPipeError):
                print(line, file=self._process.stdin, flush=True)
                answer = self._process.stdout.readline()
                if answer.endswith("\n"):
                    return answer
            raise AntiphonError("unreadable", "the antiphon process has ended")
        except BaseException:
            # After a timeout or Ctrl+C the next request would get this one's answer: it gets a new process instead.
            with suppress(BrokenPipeError), self._process as process:
                process.kill()
            self._process = None
            raise

    def _leave(self):
        # The process belongs to the parent: two processes that ask it would get each other's answers.
        process, self._process = self._process, None
        if process is not None:
            process.stdin.close()
            process.stdout.close()
            process.returncode = 0

    def heal(self, body, **options):
        """The body as its provider accepts it: a list of messages, or a whole request body."""
        return self.repair(body, **options)["body"]

    def close(self):
        with self._lock:
            self._is_closed = True
            if self._process is not None:
                self._process.communicate()

    def __exit__(self, *_):
        self.close()


_all = weakref.WeakSet()
_held = []


def _before_fork():
    _held.extend(_all)
    for antiphon in _held:
        antiphon._lock.acquire()


def _after_fork(is_child=False):
    while _held:
        antiphon = _held.pop()
        if is_child:
            antiphon._leave()
        antiphon._lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=lambda: _after_fork(True))


@contextmanager
def proxy(to, command=None):
    """The address of a proxy in front of a provider. Programs that use it as their base URL need no change."""
    words = [*(command or COMMAND), "proxy", "--to", to, "--port", "0"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    try:
        seen = []
        for line in process.stdout:
            seen.append(line)
            if found := re.search(r"http://(?:127\.0\.0\.1|localhost):\d+", line):
                threading.Thread(target=deque, args=(process.stdout, 0), daemon=True).start()
                yield found.group()
                return
        raise AntiphonError("unreadable", "the proxy did not start: " + "".join(seen).strip())
    finally:
        process.terminate()
        process.wait()
