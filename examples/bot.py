"""A bot for a table server, in plain Python with `websockets`: it sits down, plays a game at random, says who won.

    python examples/bot.py http://127.0.0.1:8420 [INVITE-CODE]

With a code it takes an open seat at that table; without one it sets up a table of its own against the server's bots.
"""

import json
import random
import sys
from typing import Any
from urllib.request import Request, urlopen

from websockets.sync.client import connect


def ask(url: str, data: object = None, token: str = "") -> Any:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    with urlopen(Request(url, json.dumps(data).encode() if data else None, headers)) as answer:
        return json.load(answer)


def play(server: str, code: str | None = None, rules: str = "hasenpfeffer") -> list[int]:
    """Play one game; returns the sides that won."""
    token = ask(f"{server}/api/programs", {"name": "Random"})["token"]
    wanted = {"rules": rules, "seats": ["me", *["novice"] * (1 if rules == "tiny" else 3)]}
    table = ask(f"{server}/api/invites/{code}" if code else f"{server}/api/tables", None if code else wanted, token)
    with connect(f"ws{server.removeprefix('http')}/ws", max_size=None) as socket:

        def tell(kind: str, **command: object) -> None:
            socket.send(json.dumps({"type": kind, **command}))

        tell("hello", protocol=1, table=table["table"], token=token, code=code, words=False)
        for frame in map(json.loads, socket):
            seats = frame.get("table", {}).get("seats", [])
            if frame["type"] == "snapshot" and code and "seat" not in frame["you"]:
                tell("take", seat=[seat["kind"] for seat in seats].index("open"), code=code)
            elif frame["type"] == "snapshot" and code is None and frame["table"]["phase"] == "open":
                tell("start")
            if frame.get("table", {}).get("phase") == "finished":
                return list(frame["table"]["winners"])
            if legal := frame.get("observation", {}).get("legal"):
                tell("act", n=frame["n"], action="pass" if "pass" in legal else random.choice(legal))
    raise ConnectionError("the server has closed the connection")


if __name__ == "__main__":
    print("winners:", play(*sys.argv[1:]))
