"""Every clause of the carrom rulebook, in our words (docs/games/carrom.md, section 5)."""

from rules.game import Clause

CLAUSES: tuple[Clause, ...] = (
    Clause(
        code="CR-1.1",
        section="Teams",
        words="Before a match: each team has exactly two members; otherwise not started",
    ),
    Clause(
        code="CR-2.1",
        section="Teams",
        words="Before and during: partners sit opposite each other",
    ),
    Clause(
        code="CR-3.1",
        section="Conduct",
        words="During the board: a player must not lift or move chair or table to get into "
        "position",
        exceptions="sanction: CR-X.18",
    ),
    Clause(
        code="CR-3.2",
        section="Conduct",
        words="During the board: moving the body on an unmoved seat is allowed",
    ),
    Clause(
        code="CR-4.1",
        section="Conduct",
        words="During the board: no support from surrounding objects",
        exceptions="sanction: CR-X.18",
    ),
    Clause(
        code="CR-5.1",
        section="Toss",
        words="Before every game: a toss is held",
    ),
    Clause(
        code="CR-6.1",
        section="Toss",
        words="Toss decided: winning team chooses: strike first or give the first strike away",
        exceptions="choice of the member who strikes is free",
    ),
    Clause(
        code="CR-7.1",
        section="Rack and break",
        words="RACKING: the referee sets the pieces at the centre, queen in the middle",
    ),
    Clause(
        code="CR-7.2",
        section="Rack and break",
        words="RACKING: nine black, nine white",
    ),
    Clause(
        code="CR-8.1",
        section="Rack and break",
        words="RACKING: black and white alternate in a circular formation round the queen",
        exceptions="section 2",
    ),
    Clause(
        code="CR-8.2",
        section="Rack and break",
        words="RACKING: nothing beyond the outer circle",
        exceptions="B3",
    ),
    Clause(
        code="CR-9.1",
        section="Rack and break",
        words="Break: the breaker's team has white and must pocket white",
    ),
    Clause(
        code="CR-10.1",
        section="Turn and strike",
        words="Own piece pocketed by a proper strike: same player strikes again",
        exceptions="CR-F2.1, CR-F4.4, CR-F5.1; a touch (CR-F1.2) does not take the turn",
    ),
    Clause(
        code="CR-11.1",
        section="Turn and strike",
        words="No own piece (and not the queen validly) pocketed: strike passes to the "
        "next player anti-clockwise, the neighbour on the right: S, E, N, W",
    ),
    Clause(
        code="CR-12.1",
        section="Turn and strike",
        words="Turn of the other team: it plays black",
    ),
    Clause(
        code="CR-12.2",
        section="Turn and strike",
        words="Board in progress: turns go round, alternating between the white and the black side",
    ),
    Clause(
        code="CR-13.1",
        section="Turn and strike",
        words="At the strike: striker placed on the base line (B1, B2); otherwise improper strike",
        exceptions="consequence CR-F3.2, CR-X.4",
    ),
    Clause(
        code="CR-13.2",
        section="Turn and strike",
        words="At the strike: one single motion; a second push or a stopped and resumed "
        "motion makes it improper",
        exceptions="break: CR-X.3",
    ),
    Clause(
        code="CR-13.3",
        section="Turn and strike",
        words="Striker or board jerked while striking: foul, improper strike",
        exceptions="consequence as CR-F3.2 (field: the ICF defines a push as a jerk of the elbow)",
    ),
    Clause(
        code="CR-14.1",
        section="Turn and strike",
        words="Any: opponents get no strike until the player at the board (breaker or "
        "later) fails to pocket",
    ),
    Clause(
        code="CR-15.1",
        section="Queen and cover",
        words="Team has netted: it may pocket the queen",
        exceptions="CR-22.3, CR-F5.1",
    ),
    Clause(
        code="CR-16.1",
        section="Queen and cover",
        words="Queen validly pocketed, not covered in the same strike (opponents' pieces "
        "falling with her change nothing): pending: the player strikes again and "
        "must cover in that next strike (CR-X.16); success: covered; failure: queen "
        "back (CR-X.6) and CR-11.1",
    ),
    Clause(
        code="CR-16.2",
        section="Queen and cover",
        words="Covered queen: her points go to the team only if it later wins that board",
        exceptions="CR-18.1",
    ),
    Clause(
        code="CR-17.1",
        section="Points and the end of a board",
        words="Scoring: black and white pieces: 1 point each",
    ),
    Clause(
        code="CR-17.2",
        section="Points and the end of a board",
        words="Scoring: queen: 3 points",
        exceptions="cr.queen_cap_22 = off | on (ICF 27)",
    ),
    Clause(
        code="CR-18.1",
        section="Points and the end of a board",
        words="Board won: queen's points only if covered by the winning team",
    ),
    Clause(
        code="CR-19.1",
        section="Points and the end of a board",
        words="Only opponents' pieces are left, everything else (own nine and the queen) "
        "pocketed: board ends; that team wins it",
        exceptions="CR-23.1, CR-X.11, CR-X.12, CR-X.13",
    ),
    Clause(
        code="CR-19.2",
        section="Points and the end of a board",
        words="CR-19.1, winner covered the queen: points = opponents' pieces left + 3",
    ),
    Clause(
        code="CR-19.3",
        section="Points and the end of a board",
        words="CR-19.1, queen covered by the losers: points = opponents' pieces left",
    ),
    Clause(
        code="CR-19.4",
        section="Points and the end of a board",
        words="CR-19.1: a losing team never gets the queen's points, even if it pocketed her",
    ),
    Clause(
        code="CR-20.1",
        section="Queen, striker and dues",
        words="Unlocked queen and striker pocketed in one proper strike, no piece with "
        "them: queen and two own pieces return to the circle",
        exceptions="what cannot be paid stays due (CR-22.1)",
    ),
    Clause(
        code="CR-20.2",
        section="Queen, striker and dues",
        words="CR-20.1: same player continues",
    ),
    Clause(
        code="CR-21.1",
        section="Queen, striker and dues",
        words="Striker pocketed with an own piece, while the queen is pending or falls in "
        "the same strike (unlocked): queen and two own pieces return (the piece just "
        "pocketed is one of them; with k own pieces max(2, k + 1) return, CR-X.26)",
        exceptions="beats CR-F4.2",
    ),
    Clause(
        code="CR-21.2",
        section="Queen, striker and dues",
        words="CR-21.1, CR-21.3: same player continues; the queen is uncovered and on the board",
    ),
    Clause(
        code="CR-21.3",
        section="Queen, striker and dues",
        words="Striker, unlocked queen and an opponents' piece pocketed in one strike, no "
        "own piece: queen and two own pieces return",
        exceptions="a pending queen, striker and only opponents' pieces: no cover, CR-F4.1. "
        "cr.queen_plus_opponent = with_striker | pending_too | always (pending_too: "
        "that case as well; always: pending_too, and queen with an opponents' piece "
        "but without striker and own piece; CR-23.1 goes before it)",
    ),
    Clause(
        code="CR-21.4",
        section="Queen, striker and dues",
        words="CR-21.3: the opponents' piece stays pocketed",
    ),
    Clause(
        code="CR-22.1",
        section="Queen, striker and dues",
        words="Due outstanding, a piece of the team is pocketed (by its own player, or by "
        "the opponents): that piece returns and settles the due (each due one piece)",
        exceptions="immediately after the strike (CR-X.14)",
    ),
    Clause(
        code="CR-22.2",
        section="Queen, striker and dues",
        words="CR-22.1: the player still continues",
    ),
    Clause(
        code="CR-22.3",
        section="Queen, striker and dues",
        words="CR-22.1 by its own player: the team has netted: it is entitled to take the "
        "queen before any further piece and cover her, even with all nine pieces on "
        "the board",
        exceptions="cr.queen_while_due = allowed | refused (ICF 68b)",
    ),
    Clause(
        code="CR-23.1",
        section="Queen, striker and dues",
        words="One piece of each team and the queen on the board; striker's player pockets "
        "queen and the opponents' piece: opponents win the board",
    ),
    Clause(
        code="CR-23.2",
        section="Queen, striker and dues",
        words="CR-23.1: points = pieces left on the board (here 1, the striking team's own)",
        exceptions="no queen points",
    ),
    Clause(
        code="CR-24.1",
        section="Queen, striker and dues",
        words="Unlocked queen and own piece pocketed in one strike, striker not: queen is covered",
    ),
    Clause(
        code="CR-F0.1",
        section="Fouls",
        words="A foul: brings a due or a penalty as listed; the list gives common cases only",
        exceptions="unlisted breaches: CR-X.18",
    ),
    Clause(
        code="CR-F1.1",
        section="Fouls",
        words="Any player, idle or in play, interferes with board or pieces by touching or "
        "moving them other than with the strike: foul",
        exceptions="permitted: playing hand on surface, frame and own striker at one's own "
        "strike, body resting on the frame without moving it; taking up the striker "
        "after the end of motion, and discs from the nets; placing; RACKING; the "
        "referee",
    ),
    Clause(
        code="CR-F1.2",
        section="Fouls",
        words="CR-F1.1: due of one piece for that player's team; turn unchanged",
        exceptions="disturbed discs are put back (CR-X.24)",
    ),
    Clause(
        code="CR-F2.1",
        section="Fouls",
        words="A piece leaves the board during a strike or during play: the player who "
        "struck loses the turn",
        exceptions="pieces validly pocketed in that strike stay; piece back: CR-X.8; fell back "
        "by itself: CR-X.9; striker off: CR-X.10; knocked off by a touch between "
        "strikes: CR-F1.1 only",
    ),
    Clause(
        code="CR-F3.1",
        section="Fouls",
        words="Striker pushed onto the pieces: foul, improper strike",
    ),
    Clause(
        code="CR-F3.2",
        section="Fouls",
        words="CR-F3.1 (also CR-13.1, 13.2, 13.3): one piece as penalty or the turn: by "
        "default one earlier pocketed own piece returns if there is one, otherwise "
        "the turn is the whole penalty",
        exceptions="the turn passes in any case, because nothing pocketed counts (CR-X.4, "
        "CR-11.1). cr.push_penalty = piece_else_turn | both | turn_only | referee "
        "(both: one piece, else a due; turn_only: no piece; referee: asked, piece or "
        "turn only)",
    ),
    Clause(
        code="CR-F4.1",
        section="Fouls",
        words="Striker alone pocketed: foul: one own piece returns, or stays due",
        exceptions="also if only opponents' pieces fell with it",
    ),
    Clause(
        code="CR-F4.2",
        section="Fouls",
        words="Striker pocketed with an own piece: foul: that piece (all k of them) returns",
        exceptions="CR-21.1. cr.striker_with_piece = piece_only | plus_due (ICF 46)",
    ),
    Clause(
        code="CR-F4.3",
        section="Fouls",
        words="Any returned piece: opponents place it anywhere inside the circle (B3)",
        exceptions="CR-X.7",
    ),
    Clause(
        code="CR-F4.4",
        section="Fouls",
        words="CR-F4.1, CR-F4.2: turn lost",
        exceptions="CR-20.2, CR-21.2",
    ),
    Clause(
        code="CR-F5.1",
        section="Fouls",
        words="Queen pocketed before the team has netted a piece, counting drops in order "
        "within the strike: foul: queen back, turn lost; own pieces of that strike "
        "stay",
        exceptions="cr.queen_first = return_and_turn | plus_due; cr.queen_opens = board | turn "
        "(turn: an own piece must have been netted in the same turn, except under "
        "CR-22.3)",
    ),
    Clause(
        code="CR-F6.1",
        section="Fouls",
        words="Game clock exceeds 35 minutes with no winner: queen phase begins after the "
        "strike in progress",
        exceptions="CR-X.21",
    ),
    Clause(
        code="CR-F6.2",
        section="Fouls",
        words="Queen phase: both teams play for the queen only",
        exceptions="CR-X.22",
    ),
    Clause(
        code="CR-F6.3",
        section="Fouls",
        words="Queen phase, queen pocketed: that team wins the game, whatever the points",
    ),
    Clause(
        code="CR-X.1",
        section="Where the rules are silent",
        words="A game is won by 25 points, or by the lead after 8 boards; tie: one extra "
        "board after a toss, until decided. cr.game = points_25_boards_8 | "
        "single_board | boards_n. A match is one game; cr.best_of = 1 | 3",
    ),
    Clause(
        code="CR-X.2",
        section="Where the rules are silent",
        words="The break of later boards passes to the player on the right of the last "
        "breaker; breaking team has white",
    ),
    Clause(
        code="CR-X.3",
        section="Where the rules are silent",
        words="A break that touches no piece is an ordinary miss: turn passes, the next "
        "player plays black on the standing formation, the breaker's team keeps "
        "white. cr.break_attempts = 1 | 3 (ICF 18; 3: the third such break is the "
        "miss)",
    ),
    Clause(
        code="CR-X.4",
        section="Where the rules are silent",
        words="In an improper strike own pieces and the queen that fell come back and net "
        "nothing; opponents' pieces stay pocketed",
    ),
    Clause(
        code="CR-X.5",
        section="Where the rules are silent",
        words="Opponents' pieces pocketed by the player stay pocketed, without penalty, "
        "and do not keep the turn",
    ),
    Clause(
        code="CR-X.6",
        section="Where the rules are silent",
        words="The referee puts the queen on the centre circle; if covered, on the largest "
        "free part of it or touching it",
    ),
    Clause(
        code="CR-X.7",
        section="Where the rules are silent",
        words="Returned pieces are placed by an opponent of the team that owns them: the "
        "right-hand neighbour of the player whose strike or breach causes the return "
        "or, where that is one of the owners (a due paid by a piece the opponents "
        "pocketed), the striker. Flat, inside OUTER, without moving or touching "
        "another disc; anywhere there. Placed wrongly: placed again. cr.placer = "
        "right_opponent | any_opponent. Queen first, then jumped pieces, then these",
    ),
    Clause(
        code="CR-X.8",
        section="Where the rules are silent",
        words="Jumped discs are put by the referee on the centre circle, queen first, or, "
        "if it is covered, on its largest free part or touching what covers it; a "
        "jumped queen is not pocketed",
    ),
    Clause(
        code="CR-X.9",
        section="Where the rules are silent",
        words="A disc that jumps and comes to rest on the surface again by itself has not "
        "left the board: it stays where it stops, no foul. cr.jump_back = stays | "
        "to_centre (to_centre: CR-F2.1, X.8)",
    ),
    Clause(
        code="CR-X.10",
        section="Where the rules are silent",
        words="A striker that leaves the board is no foul; CR-10.1 and 11.1 decide. "
        "cr.striker_off = no_foul | turn_lost. It is brought back by hand",
    ),
    Clause(
        code="CR-X.11",
        section="Where the rules are silent",
        words="A team pockets its last piece while the queen is uncovered (not covered in "
        "that very strike): it loses the board by 3. cr.last_piece_queen_up = lose_3 "
        "| replace_piece (replace_piece: one piece returns, CR-X.7, the turn passes)",
    ),
    Clause(
        code="CR-X.12",
        section="Where the rules are silent",
        words="A team pockets the opponents' last piece while it still has pieces: if the "
        "queen is covered, CR-19.1 makes the opponents win (CR-19.2, 19.3); if not, "
        "the opponents win with points = that team's pieces left on the board, as in "
        "CR-23.2. cr.last_opponent_queen_bonus = 0 | 3 (ICF 79)",
    ),
    Clause(
        code="CR-X.13",
        section="Where the rules are silent",
        words="Both teams' last pieces in one strike: queen covered before or in that "
        "strike: striking team wins, points by CR-19 (0, or 3 if it covered her); "
        "queen uncovered: CR-X.11",
    ),
    Clause(
        code="CR-X.14",
        section="Where the rules are silent",
        words="Dues and returns of both teams are carried out directly after the strike or "
        "breach and before any test for the end of the board; a due paid with the "
        "piece that covered the queen does not uncover her; at the end of a board "
        "dues are written off",
    ),
    Clause(
        code="CR-X.15",
        section="Where the rules are silent",
        words="If fewer pieces are down than must return, all return and the rest is "
        "outstanding due",
    ),
    Clause(
        code="CR-X.16",
        section="Where the rules are silent",
        words="The cover must come in the next strike of the same turn; if the turn is "
        "lost for any reason the queen goes back",
    ),
    Clause(
        code="CR-X.17",
        section="Where the rules are silent",
        words="Discs on edge or overlapping stay; a striker resting on a disc is lifted "
        "off; a disc at a pocket mouth that falls by itself before the next strike "
        "is pocketed, and the strike is ruled anew with it",
    ),
    Clause(
        code="CR-X.18",
        section="Where the rules are silent",
        words="Breach of CR-3.1 or CR-4.1, or another unlisted breach reported by a "
        "person: due of one piece, turn unchanged. cr.conduct = due | warn",
    ),
    Clause(
        code="CR-X.19",
        section="Where the rules are silent",
        words="Order of drops inside one strike decides CR-F5.1 (only where the team had "
        "not netted before); if it cannot be separated: CR-X.23",
    ),
    Clause(
        code="CR-X.20",
        section="Where the rules are silent",
        words="A strike is made once the striker leaves the base lines or touches a disc; "
        "before that it may be set again",
    ),
    Clause(
        code="CR-X.21",
        section="Where the rules are silent",
        words="Each game has its own clock. It starts with the first strike of the game, "
        "runs without stopping unless the referee stops it, and expires when it "
        "shows more than 35:00. A strike made at or before 35:00 is finished and "
        "judged normally. cr.time_limit_min = 35",
    ),
    Clause(
        code="CR-X.22",
        section="Where the rules are silent",
        words="Queen phase: player next in turn strikes; other pieces stay as they lie; no "
        "netting or cover needed; a queen already pocketed, pending or covered is "
        "put back on the centre; between boards the queen stands alone. A proper "
        "strike that pockets the queen without the striker wins. Anything else "
        "passes the strike: pieces pocketed stay down and count nothing; queen with "
        "striker, queen off the board or an improper strike: queen back. Dues are "
        "suspended, disturbed discs are put back, boards are no longer scored. "
        "Between boards the member who would break next strikes first. "
        "cr.timeout_queen = respot | holder_wins; cr.timeout_pieces = keep | clear",
    ),
    Clause(
        code="CR-X.23",
        section="Where the rules are silent",
        words="TOO CLOSE TO CALL facts go to the human referee (4.3)",
    ),
    Clause(
        code="CR-X.24",
        section="Where the rules are silent",
        words="Discs moved by a touch or a jolt are put back by the referee",
    ),
    Clause(
        code="CR-X.25",
        section="Where the rules are silent",
        words="A strike out of turn is void: positions restored, due of one piece "
        "(CR-F1.2), the right player strikes. Judged if noticed before the right "
        "player's next strike, else it stands and the turn goes on from the striker. "
        "cr.out_of_turn = void | lose_board (ICF 24)",
    ),
    Clause(
        code="CR-X.26",
        section="Where the rules are silent",
        words="Striker with k ≥ 1 own pieces and the queen involved: max(2, k + 1) own "
        "pieces return (k = 0: two)",
    ),
    Clause(
        code="CR-X.27",
        section="Where the rules are silent",
        words="No rule fixes what must be hit first: any disc may be hit first, directly "
        "or off the frame",
    ),
    Clause(
        code="CR-X.28",
        section="Where the rules are silent",
        words="Concession (H): the other team wins the board (points: the conceding team's "
        "pieces on the board, + 3 if the winner covered the queen), the game or the "
        "match, as stated",
    ),
    Clause(
        code="CR-X.29",
        section="Where the rules are silent",
        words="A breach between strikes (touch, posture) is ruled at once: due, return, no "
        "change of turn or of a pending queen; if it needs placing, the strike waits",
    ),
)
