"""The socket at /ws: commands in, frames out (docs/protocol.md). One socket follows one table for one viewer.

Commands of a socket are carried out one after the other. Frames never queue up: what is sent next is what has happened
since the last frame that the client took. Every answer to a limit says what the limit is.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import aclosing
from typing import Final, NoReturn

from bigpepper.server.answers import AnyFrame, Pong, Refused, write_frame
from bigpepper.server.asgi import Event, Receive, Scope, Send
from bigpepper.server.cases import Who
from bigpepper.server.codes import PROTOCOL, Code
from bigpepper.server.commands import BadMessage, Hello, Ping, TableCommand, mark_of, read_command
from bigpepper.server.identity import Identity, Visitor
from bigpepper.server.limits import Credits, Gauges, Rate
from bigpepper.server.logs import tell
from bigpepper.server.problems import Problem
from bigpepper.server.seating import may_watch
from bigpepper.server.service import Service, refused
from bigpepper.text import Message, msg

PATH: Final = "/ws"
LONGEST_FRAME: Final = 65_536
"""Bytes of a client's message beyond which the socket is closed without looking at it (1009)."""
_FORGIVING: Final = 20
"""Of so many commands at the highest rate, one that was too fast is forgiven."""
_GOING_ON: Final = 1000
_NOT_ALLOWED: Final = 1008
_FAILED: Final = 1011
_LATER: Final = 1013
_NOBODY: Final = msg("Nobody knows you yet: take a name first, or send a token.")
_TOO_FAST: Final = msg("You send too fast: slow down.")


class Sockets:
    """Serves the sockets of a server. `clock` gives seconds."""

    def __init__(self, service: Service, identity: Identity, gauges: Gauges, clock: Callable[[], float]) -> None:
        self.service = service
        self.identity = identity
        self.gauges = gauges
        self.clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection, from the handshake to its end."""
        if (await receive())["type"] != "websocket.connect":
            return
        visitor = await self.identity.visitor(scope)
        connection = _Connection(self, visitor, receive, send)
        await send({"type": "websocket.accept"})
        full = self.gauges.sockets.refusal(visitor.address)
        if full is not None:
            await connection.end(_LATER, Code.TOO_FAST, full)
            return
        with self.gauges.sockets.one_more(visitor.address):
            await connection.run()


class _Left(Exception):
    """The client has gone, or is sent away."""


class _Connection:
    """One socket."""

    def __init__(self, sockets: Sockets, visitor: Visitor, receive: Receive, send: Send) -> None:
        self._service = sockets.service
        self._identity = sockets.identity
        self._gauges = sockets.gauges
        self._clock = sockets.clock
        self._visitor = visitor
        self._receive = receive
        self._send = send
        limits = self._gauges.limits
        self._credits = Credits(limits.messages, self._clock())
        self._patience = Credits(Rate(limits.patience, limits.messages.per_second / _FORGIVING), self._clock())
        self._who: Who | None = visitor.who
        self._language = visitor.language

    async def run(self) -> None:
        """Greet, follow and obey until the client leaves."""
        try:
            hello = await self._greeted()
            following = asyncio.create_task(self._follow(hello))
            following.add_done_callback(_hold_error)
            try:
                await self._obey(hello.table, following)
            finally:
                following.cancel()
                await asyncio.wait({following})
        except (_Left, OSError):
            return
        except Exception:
            await self._close(_FAILED, "failure")
            raise

    # --- hello ------------------------------------------------------------------------------------------------------

    async def _greeted(self) -> Hello:
        """The first message, once it is known that its sender may see the table."""
        try:
            async with asyncio.timeout(self._gauges.limits.hello):
                text = await self._text()
        except TimeoutError:
            await self._leave(Code.BAD_MESSAGE, msg("Nothing came: the first message has to be hello."))
        hello = await self._read_hello(text)
        self._language = hello.language
        if hello.protocol != PROTOCOL:
            await self._leave(Code.OTHER_PROTOCOL, msg("This server speaks version {n} of the protocol.", n=PROTOCOL))
        await self._know(hello)
        await self._admit(hello)
        return hello

    async def _read_hello(self, text: str) -> Hello:
        try:
            command = read_command(text)
        except BadMessage as error:
            await self._leave(error.code, error.message, mark_of(text))
        if not isinstance(command, Hello):
            await self._leave(Code.BAD_MESSAGE, msg("The first message has to be hello."), command.id)
        return command

    async def _know(self, hello: Hello) -> None:
        if hello.token is not None:
            try:
                self._who = await self._identity.of_token(hello.token)
            except Problem as problem:
                await self._leave(problem.code, problem.message, hello.id)

    async def _admit(self, hello: Hello) -> None:
        player = self._who.player if self._who else None
        if hello.code is not None:
            try:
                self._identity.check_guesses(self._visitor.address)
            except Problem as problem:
                await self._leave(problem.code, problem.message, hello.id)
        refusal = await self._service.admit(hello.table, player, hello.code)
        if refusal is None:
            return
        if hello.code is not None:
            self._gauges.guesses.spend(self._visitor.address, self._clock())
        await self._leave(refusal.code, refusal.message, hello.id)

    # --- frames out -------------------------------------------------------------------------------------------------

    async def _follow(self, hello: Hello) -> None:
        """Send what happens; return where the table is gone, or not to be seen any more."""
        player = self._who.player if self._who else None
        following = self._service.follow(
            hello.table, player, since=hello.since, language=self._language, words=hello.words
        )
        async with aclosing(following):
            async for frames in following:
                room = await self._service.rooms.get(hello.table)
                if room is not None and not may_watch(room.table.facts, player, hello.code):
                    await self._say(refused(Code.NOT_INVITED, msg("This table is private now."), self._language))
                    return
                for frame in frames:
                    await self._send({"type": "websocket.send", "text": frame})

    # --- commands in ------------------------------------------------------------------------------------------------

    async def _obey(self, table_id: str, following: asyncio.Task[None]) -> None:
        """Carry out commands until the client leaves or there is nothing to follow any more."""
        while True:
            reading = asyncio.ensure_future(self._text())
            try:
                await asyncio.wait({reading, following}, return_when=asyncio.FIRST_COMPLETED)
                if following.done():
                    await self._ended(following)
                text = await reading
            finally:
                reading.cancel()
            await self._answer(table_id, text)

    async def _ended(self, following: asyncio.Task[None]) -> None:
        """There is nothing to follow any more."""
        error = following.exception()
        if error is not None:
            raise error
        await self._close(_GOING_ON, "over")
        raise _Left

    async def _answer(self, table_id: str, text: str) -> None:
        """Carry out one message, and say how it went."""
        if not await self._in_time(text):
            return
        try:
            command = read_command(text)
        except BadMessage as error:
            await self._say(refused(error.code, error.message, self._language, mark_of(text)))
            return
        if isinstance(command, Ping):
            await self._say(Pong(id=command.id))
        elif isinstance(command, Hello):
            again = msg("You have said hello already: open another socket for another table.")
            await self._say(refused(Code.BAD_MESSAGE, again, self._language, command.id))
        else:
            await self._say(await self._done(table_id, command))

    async def _done(self, table_id: str, command: TableCommand) -> AnyFrame:
        if self._who is None:
            return refused(Code.NOT_YOUR_SEAT, _NOBODY, self._language, command.id)
        return await self._service.do(table_id, self._who, command, self._language)

    async def _in_time(self, text: str) -> bool:
        """Whether the client has a credit for its message; who has none is told, and not listened to for a while."""
        now = self._clock()
        wait = self._credits.wait(now) or self._gauges.commands.wait(self._visitor.address, now)
        if not wait:
            self._credits.spend(now)
            self._gauges.commands.spend(self._visitor.address, now)
            return True
        if not self._patience.spend(now):
            await self._leave(Code.TOO_FAST, _TOO_FAST, mark_of(text))
        await self._say(refused(Code.TOO_FAST, _TOO_FAST, self._language, mark_of(text)))
        await asyncio.sleep(wait)
        return False

    # --- the wire ---------------------------------------------------------------------------------------------------

    async def _text(self) -> str:
        """The next message. Raises `_Left`."""
        event: Event = await self._receive()
        if event["type"] == "websocket.disconnect":
            tell("socket closed", logging.DEBUG, close=event.get("code"), sockets=self._gauges.sockets.open)
            raise _Left
        text = event.get("text")
        if text is None:
            await self._leave(Code.BAD_MESSAGE, msg("Messages are JSON as text, not binary."))
        return str(text)

    async def _say(self, frame: AnyFrame) -> None:
        await self._send({"type": "websocket.send", "text": write_frame(frame).decode()})

    async def _leave(self, code: str, message: Message, id: str | None = None) -> NoReturn:
        """Say why, and close. Raises `_Left`."""
        await self.end(_NOT_ALLOWED, code, message, id)
        raise _Left

    async def end(self, close: int, code: str, message: Message, id: str | None = None) -> None:
        """Say why, and close with that code of the WebSocket protocol."""
        tell("socket refused", code=code, close=close, sockets=self._gauges.sockets.open)
        await self._say(Refused(id=id, code=Code(code), message=message.text(self._language)))
        await self._close(close, code)

    async def _close(self, close: int, reason: str) -> None:
        await self._send({"type": "websocket.close", "code": close, "reason": reason})


def _hold_error(task: asyncio.Task[None]) -> None:
    """An error is raised where the task is looked at, or not at all where the client has gone first."""
    if not task.cancelled():
        task.exception()
