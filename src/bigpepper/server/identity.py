"""Who asks: a guest with a signed cookie, or a program with a token. No passwords, no e-mail.

The cookie holds the player's id, the day of signing and an HMAC under a key that the store keeps. Over https it is
`__Host-bp` and nothing else counts; over plain http, where browsers drop that name, it is `bp`.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from typing import Any, Final

from bigpepper.server.asgi import address_of, cookies_of, headers_of, is_secure, scheme_of
from bigpepper.server.cases import Who
from bigpepper.server.codes import Code
from bigpepper.server.limits import Gauges
from bigpepper.server.people import People
from bigpepper.server.problems import Problem
from bigpepper.text import SOURCE_LANGUAGE, msg

KEY: Final = "cookie-key"
"""The name of the signing key in the store."""
LASTS: Final = 400
"""Days for which a cookie is good: as long as browsers keep one."""
RENEW: Final = 7
"""Days after which it is signed anew."""
SUITS: Final = "bp-suits"
"""The cookie of a browser whose user wants other colours for the suits."""
FOUR_COLOURS: Final = "four"
_DAY: Final = 86_400_000
_LABEL: Final = b"bigpepper-cookie-1:"


class Signer:
    """Signs and reads the values of cookies. `now` gives milliseconds of Unix time."""

    def __init__(self, key: bytes, now: Callable[[], int]) -> None:
        self._key = key
        self._now = now

    def sign(self, player: str) -> str:
        """The value of a player's cookie."""
        text = f"{player}.{self._now() // _DAY}"
        return f"{text}.{self._mac(text)}"

    def read(self, value: str) -> tuple[str, int] | None:
        """The player of a cookie and how many days old it is; None of one that is forged or too old."""
        text, _, mac = value.rpartition(".")
        if not hmac.compare_digest(mac.encode("utf-8", "replace"), self._mac(text).encode()):
            return None
        player, _, day = text.rpartition(".")
        age = self._now() // _DAY - int(day)
        return (player, age) if age <= LASTS else None

    def _mac(self, text: str) -> str:
        return hmac.digest(self._key, _LABEL + text.encode("utf-8", "replace"), "sha256").hex()


def cookie_name(*, secure: bool) -> str:
    """What the cookie is called."""
    return "__Host-bp" if secure else "bp"


def cookie_header(value: str, *, secure: bool) -> str:
    """The `Set-Cookie` of a cookie; an empty value takes it away."""
    age = LASTS * 86_400 if value else 0
    flags = "; Secure" if secure else ""
    return f"{cookie_name(secure=secure)}={value}; Path=/; Max-Age={age}{flags}; HttpOnly; SameSite=Lax"


def suits_header(*, four_colours: bool, secure: bool) -> str:
    """The `Set-Cookie` that keeps how the suits are coloured."""
    age = LASTS * 86_400 if four_colours else 0
    flags = "; Secure" if secure else ""
    return f"{SUITS}={FOUR_COLOURS}; Path=/; Max-Age={age}{flags}; HttpOnly; SameSite=Lax"


class Identity:
    """Knows who asks. `public` is the origin under which the world knows the server; `clock` gives seconds."""

    def __init__(
        self, people: People, signer: Signer, gauges: Gauges, clock: Callable[[], float], public: str | None = None
    ) -> None:
        self.people = people
        self.signer = signer
        self.gauges = gauges
        self.clock = clock
        self.public = public

    async def visitor(self, scope: Mapping[str, Any]) -> Visitor:
        """Whoever sent a request or opened a socket. Raises `Problem` for a token that nobody has."""
        visitor = Visitor(self, scope)
        token = headers_of(scope).get("authorization", "")
        if token:
            visitor.who = await self.of_token(token.removeprefix("Bearer ").strip())
        else:
            await self._by_cookie(visitor, scope)
        return visitor

    async def _by_cookie(self, visitor: Visitor, scope: Mapping[str, Any]) -> None:
        for value in cookies_of(scope, cookie_name(secure=visitor.secure)):
            known = self.signer.read(value)
            if known is not None:
                visitor.who = await self.people.find(known[0])
                if visitor.who is not None and known[1] >= RENEW:
                    visitor.become(visitor.who)
                return

    async def of_token(self, token: str) -> Who:
        """The player of a program's token. Raises `Problem`."""
        who = await self.people.of_token(token)
        if who is None:
            raise Problem(401, Code.BAD_TOKEN, msg("Nobody has this token."))
        return who

    def check_guesses(self, address: str) -> None:
        """Raises `Problem` where an address has guessed wrong too often."""
        wait = self.gauges.guesses.wait(address, self.clock())
        if wait > 0:
            raise Problem(429, Code.TOO_FAST, msg("Too many wrong codes; try again in a while."), after=wait)

    async def redeem(self, code: str, address: str) -> Who:
        """The player of a one-time code of another device. Raises `Problem`."""
        self.check_guesses(address)
        who = await self.people.redeem(code)
        if who is None:
            self.gauges.guesses.spend(address, self.clock())
            raise Problem(404, "no_such_code", msg("This code is wrong, used up or too old: ask for a new one."))
        return who


class Visitor:
    """Who asks, and the cookie that the answer will set."""

    def __init__(self, identity: Identity, scope: Mapping[str, Any]) -> None:
        self._identity = identity
        self.who: Who | None = None
        """The player; None for somebody who is none yet."""
        self.secure = is_secure(scope)
        self.address = address_of(scope)
        self.language = SOURCE_LANGUAGE
        self.origin = identity.public or f"{scheme_of(scope)}://{headers_of(scope).get('host', 'localhost')}"
        """Where links for others begin."""
        self.four_colours = FOUR_COLOURS in cookies_of(scope, SUITS)
        """Whether he wants the suits of cards in four colours."""
        self.cookie: str | None = None
        """The `Set-Cookie` of the answer."""

    @property
    def player(self) -> str | None:
        """The player's id."""
        return self.who.player if self.who else None

    def known(self) -> Who:
        """The player. Raises `Problem` for somebody who is none."""
        if self.who is None:
            raise Problem(401, "not_known", msg("Nobody knows you yet: take a name, or send a token."))
        return self.who

    async def sure(self, name: str | None = None) -> Who:
        """The player, made one where he is none yet. Raises `Problem` and `InvalidName`."""
        if self.who is None:
            self.spend_player()
            self.become(await self._identity.people.new(name))
        return self.known()

    def spend_player(self) -> None:
        """Raises `Problem` where too many players have been made at the address."""
        identity = self._identity
        if not identity.gauges.players.spend(self.address, identity.clock()):
            wait = identity.gauges.players.wait(self.address, identity.clock())
            raise Problem(
                429, Code.TOO_FAST, msg("Too many new players from your address; try again later."), after=wait
            )

    def become(self, who: Who) -> None:
        """Be that player from now on."""
        self.who = who
        self.cookie = cookie_header(self._identity.signer.sign(who.player), secure=self.secure)

    def forget(self) -> None:
        """Be nobody."""
        self.who = None
        self.cookie = cookie_header("", secure=self.secure)
