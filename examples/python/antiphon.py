"""Antiphon for Python: heals histories and request bodies, and starts the proxy. Only the standard library is needed, and Node.

    from antiphon import Antiphon, proxy

    with Antiphon() as antiphon:
        messages = antiphon.heal(messages, provider="openai")

    with proxy("https://api.openai.com") as url:
        client = OpenAI(base_url=f"{url}/v1")
"""

import json
import re
import subprocess
import threading
from collections import deque
from contextlib import contextmanager, suppress

COMMAND = ["npx", "antiphon"]


class AntiphonError(Exception):
    """A request that could not be healed: `code` is stable, `hint` says what to do."""

    def __init__(self, code, message, hint=None):
        super().__init__(message if hint is None else f"{message} ({hint})")
        self.code = code
        self.hint = hint


class Antiphon:
    """One process that heals any number of requests. It may be used by several threads."""

    def __init__(self, command=None):
        self._words = [*(command or COMMAND), "heal", "--stdio"]
        self._process = self._start()
        self._lock = threading.Lock()
        self._is_closed = False

    def repair(self, body, provider=None, format=None, model=None):
        """The healed body, whether it changed, each repair, and what remains wrong."""
        asked = {"body": body, "for": provider, "format": format, "model": model}
        line = json.dumps({key: value for key, value in asked.items() if value is not None})
        with self._lock:
            answer = self._ask(line)
        result = json.loads(answer)
        if "error" in result:
            raise AntiphonError(**result["error"])
        return result

    def _start(self):
        return subprocess.Popen(self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def _ask(self, line):
        if self._is_closed:
            raise AntiphonError("unreadable", "the antiphon process has ended")
        if self._process is None:
            self._process = self._start()
        answer = ""
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except BrokenPipeError:
            pass
        finally:
            # After a timeout or Ctrl+C the next request would get this one's answer: it gets a new process instead.
            if not answer.endswith("\n"):
                self._end(self._process)
                self._process = None
        if not answer.endswith("\n"):
            raise AntiphonError("unreadable", "the antiphon process has ended")
        return answer

    def _end(self, process):
        process.kill()
        process.stdout.close()
        with suppress(BrokenPipeError):
            process.stdin.close()
        process.wait()

    def heal(self, body, **options):
        """The body as its provider accepts it: a list of messages, or a whole request body."""
        return self.repair(body, **options)["body"]

    def close(self):
        with self._lock:
            self._is_closed = True
            if self._process is not None:
                self._process.communicate()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


@contextmanager
def proxy(to, command=None):
    """The address of a proxy in front of a provider. Programs that use it as their base URL need no change."""
    words = [*(command or COMMAND), "proxy", "--to", to, "--port", "0"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    try:
        seen = []
        for line in process.stdout:
            seen.append(line)
            found = re.search(r"http://(?:127\.0\.0\.1|localhost):\d+", line)
            if found:
                threading.Thread(target=deque, args=(process.stdout, 0), daemon=True).start()
                yield found.group()
                return
        raise AntiphonError("unreadable", "the proxy did not start: " + "".join(seen).strip())
    finally:
        process.terminate()
        process.wait()
