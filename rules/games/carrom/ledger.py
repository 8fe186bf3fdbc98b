"""A board's counts while a fact is ruled on: what is owed, what is paid, who puts it back."""

from collections.abc import Iterable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from rules.case import Case
from rules.facts import Piece
from rules.games.carrom.ground import MAN, QUEEN, STRIKER
from rules.games.carrom.state import Errand, Phase, Queen, State, Tally, Where
from rules.games.carrom.terms import PIECES
from rules.games.carrom.words import a_man, men
from rules.geometry import Point, Seat
from rules.regions import Disc
from rules.rulings import RulingKind
from rules.said import plural, say

PLACE = RulingKind.PLACE


class Ledger(Struct):
    """Counts by team along one way, beginning with those of `state`; `lying` is the surface now.

    `fell` are the pieces of each team that fell in the strike that is ruled on; `errands` gathers
    what must be put back by hand: the queen, jumped discs, disturbed ones, returned pieces.
    """

    case: Case
    state: State
    lying: Sequence[Piece]
    on: list[int] = field(default_factory=list)
    due: list[int] = field(default_factory=list)
    netted: list[bool] = field(default_factory=list)
    entitled: list[bool] = field(default_factory=list)
    fell: list[int] = field(default_factory=lambda: [0, 0])
    queen: Queen = field(default_factory=Queen)
    turn_netted: bool = False
    errands: list[Errand] = field(default_factory=list)

    def __post_init__(self) -> None:
        tally = self.state.tally
        self.on, self.due = list(tally.on), list(tally.due)
        self.netted, self.entitled = list(tally.netted), list(tally.entitled)
        self.queen, self.turn_netted = tally.queen, tally.turn_netted

    def side(self, team: int) -> str:
        return self.state.terms.sides[team]

    def down(self, team: int) -> int:
        return PIECES - self.on[team]

    def falls(self, team: int, count: int) -> None:
        """Book pieces that were pocketed (step 2)."""
        self.on[team] -= count
        self.fell[team] += count

    # -- the queen and jumped discs ----------------------------------------------------------

    def queen_back(self, why: str) -> None:
        """Put the queen back on the centre (CR-X.6)."""
        self.queen = Queen()
        self.case.rule("CR-X.6", say("The queen goes back to the centre: {why}.", why=why), PLACE)
        self._central(QUEEN, self.state.terms.ground.queen_colour)

    def jumped_back(self, name: str, *, lies: bool = False) -> None:
        """Put a disc that left the board on the centre (CR-X.8); `lies`: it came back by itself."""
        kind, colour = self.state.kind_of(name)
        self.case.rule(
            "CR-X.8",
            say("{name} is put on the centre circle by the referee.", name=name),
            PLACE,
            pieces=(name,),
        )
        self._central(kind, colour, back=name if lies else "")

    def _central(self, kind: str, colour: str, back: str = "") -> None:
        self.errands.append(
            Errand(
                kind=kind,
                colour=colour,
                where=Where.CENTRE,
                piece=back or None,
                since=next((p.at for p in self.lying if p.name == back), None),
            )
        )

    def put_back(self, name: str, at: Point, since: Point | None = None) -> None:
        """Have the referee put a disturbed disc back where it lay (CR-X.24)."""
        if any(e.piece == name for e in self.errands):
            return
        kind, colour = self.state.kind_of(name)
        self.errands.append(
            Errand(kind=kind, colour=colour, where=Where.SPOT, at=at, piece=name, since=since)
        )

    # -- dues --------------------------------------------------------------------------------

    def owe(self, team: int, count: int) -> None:
        self.due[team] += count

    def pay(self, cause: Seat, keeps: bool = False) -> None:
        """Have each team pay what it owes as far as it has pieces down (step 6).

        `cause` is whose strike or breach brings it about, `keeps` whether that player goes on.
        """
        for team in (0, 1):
            paid = min(self.due[team], self.down(team))
            older = min(paid, self.state.tally.due[team], self.fell[team])
            cleared = self.on[team] == 0
            self.on[team] += paid
            self.due[team] -= paid
            if older:
                self._older(team, older, cause, keeps)
            if (paid and (cleared or older)) or (cleared and self.errands):
                self.case.rule(
                    "CR-X.14",
                    say("What is owed is paid before the end of the board is tested."),
                    side=self.side(team),
                )
            if self.due[team] and (paid or self.due[team] > self.state.tally.due[team]):
                self.case.rule(
                    "CR-X.15",
                    say(
                        "{team} still owe {men}."
                        if self.state.terms.pairs
                        else "{team} still owes {men}.",
                        team=self.state.terms.team(team),
                        men=men(self.due[team], self.state.colour(team)),
                    ),
                    RulingKind.PENALTY,
                    side=self.side(team),
                )
            if paid:
                self.give_back(team, paid, cause)

    def _older(self, team: int, count: int, cause: Seat, keeps: bool) -> None:
        """Say that dues from before were paid with pieces that fell just now (CR-22)."""
        terms = self.state.terms
        for _ in range(count):
            self.case.rule(
                "CR-22.1",
                say(
                    "{Piece} pays a due of {team}: it comes back.",
                    piece=a_man(self.state.colour(team)),
                    team=terms.team(team),
                ),
                RulingKind.PENALTY,
                side=self.side(team),
            )
        if terms.team_at(cause) != team:
            return
        if keeps:
            self.case.rule(
                "CR-22.2", say("{who} strikes again all the same.", who=terms.who(cause))
            )
        if self.netted[team]:
            self.entitled[team] = True
            if self.queen.on_board and terms.options.queen_while_due == "allowed":
                self.case.rule(
                    "CR-22.3",
                    say("{team} may now take the queen and cover her.", team=terms.team(team)),
                    side=self.side(team),
                )

    def give_back(self, team: int, count: int, cause: Seat) -> None:
        """Have opponents place returned pieces inside the circle (CR-F4.3, CR-X.7)."""
        terms, colour = self.state.terms, self.state.colour(team)
        by = terms.right_of(cause)
        if terms.team_at(by) == team:
            by = cause
        self.case.rule(
            "CR-F4.3",
            plural(
                count,
                one="{Men} comes back inside the circle.",
                many="{Men} come back inside the circle.",
                men=men(count, colour),
            ),
            PLACE,
            side=self.side(team),
        )
        alone = terms.options.placer == "right_opponent" or not terms.pairs
        placer = terms.who(by) if terms.options.placer == "right_opponent" else terms.team(1 - team)
        self.case.rule(
            "CR-X.7",
            plural(
                count,
                one="{placer} places it." if alone else "{placer} place it.",
                many="{placer} places them." if alone else "{placer} place them.",
                placer=placer,
            ),
            side=self.side(1 - team),
        )
        self.errands += [
            Errand(kind=MAN, colour=colour, where=Where.CIRCLE, by=by) for _ in range(count)
        ]

    # -- what then stands --------------------------------------------------------------------

    def booked(self, tally: Tally) -> Tally:
        """Return the tally with this board's counts."""
        return replace(
            tally,
            on=(self.on[0], self.on[1]),
            due=(self.due[0], self.due[1]),
            netted=(self.netted[0], self.netted[1]),
            entitled=(self.entitled[0], self.entitled[1]),
            queen=self.queen,
            turn_netted=self.turn_netted,
        )

    def placing(self, seen: State, tally: Tally) -> State:
        """Return the state in which what must be put back is put back, then the strike is due."""
        if not self.errands:
            return placing(seen, tally, ())
        ground = self.state.terms.ground
        moving = {errand.piece for errand in self.errands}
        lying = [
            Disc(p.at, ground.size_mm(p.kind))
            for p in self.lying
            if p.name not in moving and p.kind != STRIKER
        ]
        spotted = []
        for errand in _in_order(self.errands):
            if errand.where is Where.CENTRE:
                at = errand.at or ground.central_spot(errand.kind, lying)
                errand = replace(errand, at=at)
            if errand.at is not None:
                lying.append(Disc(errand.at, ground.size_mm(errand.kind)))
            spotted.append(errand)
        return placing(seen, tally, spotted)


def placing(seen: State, tally: Tally, errands: Iterable[Errand]) -> State:
    """Return the state with errands to be run, or with the strike due where there are none."""
    ordered = _in_order(errands)
    if not ordered:
        return replace(seen, phase=Phase.STRIKE_DUE, tally=tally, errands=(), said="")
    lay = frozenset(p.name for p in seen.pieces)
    if seen.phase is Phase.PLACING:
        lay = seen.lay
    return replace(
        seen, phase=Phase.PLACING, tally=tally, errands=ordered, lay=lay, said="", amiss=seen.amiss
    )


def _in_order(errands: Iterable[Errand]) -> tuple[Errand, ...]:
    """Queen first, then jumped discs, then disturbed ones, then returned pieces (CR-X.7)."""
    rank = {Where.AWAY: 0, Where.CENTRE: 2, Where.SPOT: 3, Where.CIRCLE: 4}
    return tuple(sorted(errands, key=lambda e: 1 if e.kind == QUEEN else rank[e.where]))
