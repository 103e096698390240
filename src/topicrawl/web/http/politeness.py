"""When a request may start: limits per host, then per address, then for all requests together.

The order matters: a request that waits for its host holds no other slot, so slow hosts cannot delay a fast one.
Times are of the monotonic clock: setting the system clock does not shorten delays.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from time import monotonic
from types import TracebackType

from topicrawl.errors import FetchError
from topicrawl.web.http.descriptors import sockets
from topicrawl.web.http.guard import Guard
from topicrawl.web.http.settings import HttpSettings

PER_ADDRESS = 4
"""Default limit of requests in flight to one address."""
RECENT = 30.0
"""Seconds after its last request for which an address counts as asked."""
SWEEP = 4096
"""Above this number of gates, idle ones are removed."""


class Gate:
    """Rate limiter of one host or address: `slots` requests at a time, with a delay between them."""

    __slots__ = ("_last", "_slots", "parked", "until", "waiting")

    def __init__(self, slots: int) -> None:
        self._slots = asyncio.Semaphore(slots)
        self._last = float("-inf")
        self.parked = float("-inf")
        self.until = float("-inf")
        """When the request that waits for its delay may start."""
        self.waiting = 0

    async def enter(self, delay: float, patience: float) -> None:
        """Wait for a slot and the delay; `FetchError` (`retry-later`) if parked for longer than `patience`."""
        self.waiting += 1
        try:
            await self._slots.acquire()
        except BaseException:
            self.waiting -= 1
            raise
        try:
            await self._rest(delay, patience)
        except BaseException:
            self._free_slot()
            raise
        self._last = monotonic()

    def leave(self) -> None:
        """End a request: its delay begins."""
        self._last = monotonic()
        self._free_slot()

    def touch(self) -> None:
        """Begin the delay without a request."""
        self._last = monotonic()

    def park(self, seconds: float) -> None:
        """Start no request for `seconds`."""
        self.parked = max(self.parked, monotonic() + seconds)

    def idle(self, calm: float) -> bool:
        """Whether no request waits here and the last was more than `calm` seconds ago."""
        return not self.waiting and max(self._last + calm, self.parked) < monotonic()

    async def _rest(self, delay: float, patience: float) -> None:
        while (wait := max(self._last + delay, self.parked) - (now := monotonic())) > 0:
            if self.parked - now > patience:
                raise FetchError("retry-later", "the host asked for a pause", retry_after=self.parked - now)
            self.until = now + wait
            await asyncio.sleep(wait)

    def _free_slot(self) -> None:
        self.waiting -= 1
        self._slots.release()


class Politeness:
    """The gates of all hosts and addresses, and the limit of requests in flight."""

    def __init__(self, settings: HttpSettings, guard: Guard) -> None:
        self._settings = settings
        self._guard = guard
        self._hosts: dict[str, Gate] = {}
        self._addresses: dict[str, Gate] = {}
        self._shared: dict[str, int] = {}
        """Addresses that other crawls ask too, and how many with this one."""
        self.pace(settings)

    def pace(self, settings: HttpSettings) -> None:
        """Use the delay and the limit of requests in flight of `settings`; those in flight stay as they are."""
        self._settings = settings
        self._places = asyncio.Semaphore(min(settings.concurrency, sockets()))
        self._calm = max(settings.delay, settings.crawl_delay_cap)

    def resting(self) -> dict[str, float]:
        """Hosts for which requests wait, and for how many seconds none may start."""
        now = monotonic()
        return {
            host: gate.until - now for host, gate in self._hosts.items() if gate.waiting and gate.until > now
        }

    def turn(self, host: str, address: str | None, delay: float) -> Turn:
        """`async with` it around a request to `host` at `address`, at least `delay` after the last one."""
        gates = [(self._gate(self._hosts, host, self._settings.per_host), delay)]
        if address and (self._settings.per_address or not self._guard.opens(address)):
            delay = self._settings.address_delay * self._shared.get(address, 1)
            gates.append((self._address_gate(address), delay))
        return Turn(gates, self._places, self._settings.retry_after_cap)

    def addresses(self) -> set[str]:
        """Addresses with a limit that were asked a moment ago."""
        return {address for address, gate in self._addresses.items() if not gate.idle(RECENT)}

    def share_addresses(self, addresses: Mapping[str, int]) -> None:
        """Take a part of the limits of each address: so many crawls ask it, this one included.

        Requests that wait already keep to the limits before.
        """
        before, self._shared = self._shared, dict(addresses)
        for address in before.keys() | self._shared.keys():
            if before.get(address) != self._shared.get(address) and address in self._addresses:
                del self._addresses[address]
                self._address_gate(address).touch()

    def park(self, host: str, seconds: float) -> None:
        """Start no request to `host` for `seconds`."""
        self._gate(self._hosts, host, self._settings.per_host).park(seconds)

    def rest(self, host: str) -> None:
        """Treat `host` as asked just now."""
        self._gate(self._hosts, host, self._settings.per_host).touch()

    def _address_gate(self, address: str) -> Gate:
        slots = (self._settings.per_address or PER_ADDRESS) // self._shared.get(address, 1)
        return self._gate(self._addresses, address, max(slots, 1))

    def _gate(self, gates: dict[str, Gate], key: str, slots: int) -> Gate:
        gate = gates.get(key)
        if gate is None:
            if len(gates) % SWEEP == SWEEP - 1:
                for idle in [name for name, known in gates.items() if known.idle(self._calm)]:
                    del gates[idle]
            gate = gates[key] = Gate(slots)
        return gate


class Turn:
    """The right to send one request, held for as long as it takes."""

    __slots__ = ("_gates", "_held", "_patience", "_places")

    def __init__(self, gates: list[tuple[Gate, float]], places: asyncio.Semaphore, patience: float) -> None:
        self._gates = gates
        self._places = places
        self._patience = patience
        self._held: list[Gate] = []

    async def __aenter__(self) -> None:
        try:
            for gate, delay in self._gates:
                await gate.enter(delay, self._patience)
                self._held.append(gate)
            await self._places.acquire()
        except BaseException:
            self._leave()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._places.release()
        self._leave()

    def _leave(self) -> None:
        for gate in reversed(self._held):
            gate.leave()
