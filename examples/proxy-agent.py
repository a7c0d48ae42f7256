"""Sends the history in a file to OPENAI_BASE_URL, using only Python's standard library."""
import json
import os
import sys
import urllib.error
import urllib.request

with open(sys.argv[1]) as file:
    body = {"model": "gpt-5.5", "messages": json.load(file)}
url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
try:
    with urllib.request.urlopen(request) as response:
        print("python:", json.load(response)["choices"][0]["message"]["content"])
        print("python: repaired", response.headers.get("x-antiphon-repairs"))
except urllib.error.HTTPError as error:
    print("python:", error.code, json.load(error)["error"]["message"][:60] + "...")
