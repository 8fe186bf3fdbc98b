"""Who may do what: roles, the devices that have joined, and how one joins.

An owner invites; a device joins with the secret of the invitation (a QR code) or with its PIN, and
keeps a cookie. Nothing that opens a door is kept as it is: of secrets and cookies only the digest,
of PINs a slow salted hash. Guessing a PIN is slowed for each address and for all together; devices
that have joined are never locked out by it.
"""

import hashlib
import hmac
import secrets
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from threading import Lock
from time import monotonic, time
from typing import Protocol

from rules.said import say

SESSION_S = 12 * 3600.0
GUESSES_HERE = 20
GUESSES_IN_ALL = 100
GUESS_WINDOW_S = 3600.0
MAX_DEVICES = 300
MAX_INVITATIONS = 20
PIN_DIGITS = 6
SLOWNESS = 2**14
"""What hashing one PIN costs (scrypt's n): some 50 ms."""


class Role(StrEnum):
    """What a device is here for; each may do all that those before it may."""

    OVERLAY = "overlay"
    VIEWER = "viewer"
    SCORER = "scorer"
    REFEREE = "referee"
    OWNER = "owner"


ROLE_WORDS: Mapping[Role, str] = {
    Role.OVERLAY: say("overlay"),
    Role.VIEWER: say("viewer"),
    Role.SCORER: say("scorer"),
    Role.REFEREE: say("referee"),
    Role.OWNER: say("owner"),
}
_RANK = {role: rank for rank, role in enumerate(Role)}


def may(role: Role | None, need: Role | None) -> bool:
    """Say whether `role` (None: nobody) reaches `need` (None: open to all)."""
    return need is None or (role is not None and _RANK[role] >= _RANK[need])


class NotLetIn(Exception):
    """The secret or PIN opens nothing, or opens nothing any more."""


class TooManyGuesses(Exception):
    """PINs have been tried too often; the words say how long to wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A device that has joined. Times are seconds since 1970; `token` is the cookie's digest."""

    id: str
    name: str
    role: Role
    token: str
    joined_s: float
    until_s: float
    browser: str = ""
    seen_s: float = 0.0
    wrote_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """Who may join as what until when. `secret` and `pin` are hashes; `once`: for one device."""

    id: str
    role: Role
    secret: str
    pin: str
    until_s: float
    once: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Invited:
    """An invitation with what opens it, as it is shown once to whoever made it."""

    invitation: Invitation
    secret: str
    pin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """A device, and the cookie that it is known by from now on."""

    device: Device
    cookie: str


class Records(Protocol):
    """Where joined devices and invitations outlast a restart."""

    def load(self) -> Mapping[str, object] | None: ...

    def save(self, record: Mapping[str, object]) -> None: ...


class InMemory:
    """Records that last as long as the process."""

    def __init__(self) -> None:
        self._record: Mapping[str, object] | None = None

    def load(self) -> Mapping[str, object] | None:
        return self._record

    def save(self, record: Mapping[str, object]) -> None:
        self._record = record


class Guesses:
    """Counts wrong PINs within the last hour, for each address and in all."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._made: deque[tuple[float, str]] = deque()

    def check(self, address: str) -> None:
        """Raise TooManyGuesses where no further guess is allowed now."""
        now_s = self._clock()
        while self._made and self._made[0][0] <= now_s - GUESS_WINDOW_S:
            self._made.popleft()
        here = [made for made, by in self._made if by == address]
        for made, limit in ((here, GUESSES_HERE), ([m for m, _ in self._made], GUESSES_IN_ALL)):
            if len(made) >= limit:
                wait_min = int((made[-limit] + GUESS_WINDOW_S - now_s) // 60) + 1
                raise TooManyGuesses(
                    say(
                        "Too many wrong PINs. Try again in {wait_min} min, or scan a QR code.",
                        wait_min=wait_min,
                    )
                )

    def count(self, address: str) -> None:
        self._made.append((self._clock(), address))


class Access:
    """The devices and invitations of one Sightline. All methods may be called from any thread."""

    def __init__(
        self,
        records: Records | None = None,
        *,
        now: Callable[[], float] = time,
        clock: Callable[[], float] = monotonic,
        slowness: int = SLOWNESS,
    ) -> None:
        self._slowness = slowness
        self._records = records or InMemory()
        self._now = now
        self._lock = Lock()
        self._hashing = Lock()
        self._guesses = Guesses(clock)
        self._salt = secrets.token_bytes(16)
        self._devices: dict[str, Device] = {}
        self._by_token: dict[str, str] = {}
        self._invitations: dict[str, Invitation] = {}
        self._restore(self._records.load())

    # Joining

    def invite(self, role: Role, *, minutes: float, once: bool = False) -> Invited:
        """Return a new invitation with its secret and PIN. ValueError where there are too many."""
        secret = secrets.token_urlsafe(24)
        pin = "".join(secrets.choice("0123456789") for _ in range(PIN_DIGITS))
        hashed = self._slow(pin)
        with self._lock:
            self._tidy()
            if len(self._invitations) >= MAX_INVITATIONS:
                raise ValueError(say("there are too many open invitations; withdraw some first"))
            invitation = Invitation(
                id=secrets.token_hex(6),
                role=role,
                secret=_digest(secret),
                pin=hashed,
                until_s=self._now() + minutes * 60.0,
                once=once,
            )
            self._invitations[invitation.id] = invitation
            self._save()
        return Invited(invitation=invitation, secret=secret, pin=pin)

    def join_by_secret(self, secret: str, *, name: str, browser: str) -> Joined:
        """Let a device in that holds an invitation's secret. Raises NotLetIn."""
        digest = _digest(secret)
        with self._lock:
            self._tidy()
            for invitation in self._invitations.values():
                if hmac.compare_digest(invitation.secret, digest):
                    return self._let_in(invitation, name, browser)
        raise NotLetIn(say("This invitation is not, or no longer, open. Ask for a new one."))

    def join_by_pin(self, pin: str, *, name: str, browser: str, address: str) -> Joined:
        """Let a device in that knows an invitation's PIN. Raises NotLetIn, TooManyGuesses."""
        if not self._hashing.acquire(blocking=False):
            raise TooManyGuesses(say("Another PIN is being checked just now. Try again."))
        try:
            with self._lock:
                self._guesses.check(address)
            hashed = self._slow(pin)
            with self._lock:
                self._tidy()
                for invitation in self._invitations.values():
                    if hmac.compare_digest(invitation.pin, hashed):
                        return self._let_in(invitation, name, browser)
                self._guesses.count(address)
        finally:
            self._hashing.release()
        raise NotLetIn(say("This PIN opens nothing. Look at it again, or ask for a new one."))

    # Who is there

    def known(self, cookie: str | None, *, writes: bool = False) -> Device | None:
        """Return the device of this cookie, None where there is none (any more)."""
        if not cookie:
            return None
        with self._lock:
            device = self._devices.get(self._by_token.get(_digest(cookie), ""))
            if device is None:
                return None
            now_s = self._now()
            if device.until_s <= now_s:
                self._forget(device.id)
                self._save()
                return None
            seen = replace(device, seen_s=now_s, wrote_s=now_s if writes else device.wrote_s)
            self._devices[device.id] = seen
            return seen

    def is_in(self, id: str) -> bool:
        """Say whether the device is still let in."""
        with self._lock:
            device = self._devices.get(id)
            return device is not None and device.until_s > self._now()

    def devices(self) -> tuple[Device, ...]:
        with self._lock:
            self._tidy()
            return tuple(sorted(self._devices.values(), key=lambda device: device.joined_s))

    def invitations(self) -> tuple[Invitation, ...]:
        with self._lock:
            self._tidy()
            return tuple(self._invitations.values())

    # Changing one's mind

    def revoke(self, id: str) -> bool:
        """Shut a device out; say whether there was one."""
        with self._lock:
            found = self._forget(id)
            self._save()
            return found

    def give_role(self, id: str, role: Role) -> bool:
        with self._lock:
            device = self._devices.get(id)
            if device is None:
                return False
            self._devices[id] = replace(device, role=role)
            self._save()
            return True

    def withdraw(self, id: str) -> bool:
        """Close an invitation; say whether it was open."""
        with self._lock:
            found = self._invitations.pop(id, None) is not None
            self._save()
            return found

    # Within

    def _let_in(self, invitation: Invitation, name: str, browser: str) -> Joined:
        if len(self._devices) >= MAX_DEVICES:
            raise NotLetIn(say("Too many devices have joined. Let the owner shut some out."))
        cookie = secrets.token_urlsafe(32)
        now_s = self._now()
        device = Device(
            id=secrets.token_hex(6),
            name=name or str(invitation.role),
            role=invitation.role,
            token=_digest(cookie),
            joined_s=now_s,
            until_s=now_s + SESSION_S,
            browser=browser[:200],
            seen_s=now_s,
        )
        self._devices[device.id] = device
        self._by_token[device.token] = device.id
        if invitation.once:
            del self._invitations[invitation.id]
        self._save()
        return Joined(device=device, cookie=cookie)

    def _forget(self, id: str) -> bool:
        device = self._devices.pop(id, None)
        if device is None:
            return False
        self._by_token.pop(device.token, None)
        return True

    def _tidy(self) -> None:
        now_s = self._now()
        for invitation in [i for i in self._invitations.values() if i.until_s <= now_s]:
            del self._invitations[invitation.id]
        for device in [d for d in self._devices.values() if d.until_s <= now_s]:
            self._forget(device.id)

    def _slow(self, pin: str) -> str:
        return hashlib.scrypt(
            pin.encode()[:64], salt=self._salt, n=self._slowness, r=8, p=1, dklen=32
        ).hex()

    def _save(self) -> None:
        self._records.save(
            {
                "version": 1,
                "salt": self._salt.hex(),
                "devices": [asdict(device) for device in self._devices.values()],
                "invitations": [asdict(each) for each in self._invitations.values()],
            }
        )

    def _restore(self, record: Mapping[str, object] | None) -> None:
        """Take up what was kept; a record that cannot be read lets nobody in."""
        if record is None or record.get("version") != 1:
            return
        try:
            salt = bytes.fromhex(str(record["salt"]))
            devices = [_device(each) for each in _list(record["devices"])]
            invitations = [_invitation(each) for each in _list(record["invitations"])]
        except (KeyError, TypeError, ValueError):
            return
        self._salt = salt
        self._devices = {device.id: device for device in devices}
        self._by_token = {device.token: device.id for device in devices}
        self._invitations = {each.id: each for each in invitations}


def _device(fields: dict[str, object]) -> Device:
    text = {name: str(fields[name]) for name in ("id", "name", "token", "browser")}
    times = {n: float(str(fields[n])) for n in ("joined_s", "until_s", "seen_s", "wrote_s")}
    return Device(role=Role(str(fields["role"])), **text, **times)  # type: ignore[arg-type]


def _invitation(fields: dict[str, object]) -> Invitation:
    text = {name: str(fields[name]) for name in ("id", "secret", "pin")}
    return Invitation(
        role=Role(str(fields["role"])),
        until_s=float(str(fields["until_s"])),
        once=fields["once"] is True,
        **text,
    )


def _list(value: object) -> list[dict[str, object]]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise ValueError("expected a list of objects")
    return value


def _digest(secret: str) -> str:
    """Return the digest of a long random secret: there is nothing to guess, so it may be quick."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
