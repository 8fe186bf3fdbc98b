"""The match book: who attacks, what a game and the match come to (QB-2.1, 2.9, QB-9)."""

from typing import TYPE_CHECKING

from rules.games.quarterback.state import HALVES, State, attacker_of, game_points, match_points

if TYPE_CHECKING:
    from rules.games.quarterback.bench import Bench

PLAYERS = "RB"


def close_half(bench: "Bench") -> None:
    """Say what follows from the points just entered."""
    state = bench.state
    played = len(state.points)
    if played % 2:
        say_attack(bench, "QB-2.1")
        return
    game = played // 2
    ours, theirs = game_points(state, game - 1)
    result = _winner(ours, theirs)
    scores = f"R{ours} B{theirs}"
    bench.say(
        f"GAME {game} {result} {scores}", "QB-2.9", game=str(game), result=result, scores=scores
    )
    points = match_points(state)
    total = f"R{points[0]} B{points[1]}"
    bench.say(f"MATCH-POINTS {total}", "QB-9.4", scores=total)
    if played < HALVES:
        say_attack(bench, "QB-9.2")
    else:
        result = _winner(*points)
        bench.say(f"MATCH {result} {total}", "QB-9.3", result=result, scores=total)


def say_attack(bench: "Bench", code: str) -> None:
    """Say who attacks next, where it is known who the players are."""
    state = bench.state
    if state.first is not None:
        player = PLAYERS[attacker_of(state.first, len(state.points))]
        bench.say(f"ATTACK {player}", code, side=player)


def _winner(ours: int, theirs: int) -> str:
    return "draw" if ours == theirs else PLAYERS[ours < theirs]


def write_match(state: State) -> str:
    """The match string: who attacked first, then the points of each half (`R:12,9;3,14`)."""
    games = [state.points[n : n + 2] for n in range(0, len(state.points), 2)]
    points = ";".join(",".join(map(str, game)) for game in games)
    return f"{PLAYERS[state.first or 0]}:{points}"


def read_match(text: str) -> tuple[int, tuple[int, ...]]:
    """Who attacked first and the points of the halves; ValueError where it is no match string."""
    player, colon, rest = text.partition(":")
    games = rest.split(";") if rest else []
    points = [p for game in games for p in game.split(",")]
    right = [len(game.split(",")) for game in games]
    if (
        player not in tuple(PLAYERS)
        or not colon
        or len(points) > HALVES
        or any(n != 2 for n in right[:-1])
        or right[-1:] not in ([], [1], [2])
        or not all(p.isascii() and p.isdigit() for p in points)
    ):
        raise ValueError(f"expected a match such as R:12,9;3,14, got {text!r}")
    return PLAYERS.index(player), tuple(map(int, points))
