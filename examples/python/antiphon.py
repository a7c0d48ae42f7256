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
from contextlib import contextmanager

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
        words = [*(command or COMMAND), "heal", "--stdio"]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self._lock = threading.Lock()

    def repair(self, body, provider=None, format=None, model=None):
        """The healed body, whether it changed, each repair, and what remains wrong."""
        asked = {"body": body, "for": provider, "format": format, "model": model}
        line = json.dumps({key: value for key, value in asked.items() if value is not None})
        with self._lock:
            try:
                self._process.stdin.write(line + "\n")
                self._process.stdin.flush()
            except (BrokenPipeError, ValueError):
                raise AntiphonError("unreadable", "the antiphon process has ended") from None
            answer = self._process.stdout.readline()
        if not answer:
            raise AntiphonError("unreadable", "the antiphon process has ended")
        result = json.loads(answer)
        if "error" in result:
            raise AntiphonError(**result["error"])
        return result

    def heal(self, body, **options):
        """The body as its provider accepts it: a list of messages, or a whole request body."""
        return self.repair(body, **options)["body"]

    def close(self):
        with self._lock:
            self._process.stdin.close()
            self._process.wait()
            self._process.stdout.close()

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
                threading.Thread(target=process.stdout.read, daemon=True).start()
                yield found.group()
                return
        raise AntiphonError("unreadable", "the proxy did not start: " + "".join(seen).strip())
    finally:
        process.terminate()
        process.wait()
