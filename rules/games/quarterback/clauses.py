"""Every clause of the rulebook, as `sightline rules quarterback` prints them."""

from rules.game import Clause

CLAUSES = (
    Clause(
        code="QB-1.1",
        section="Equipment and set-up",
        words=(
            "Board as in section 1: rows 0-12 numbered, unnumbered rows behind row 0, "
            "numbered columns."
        ),
    ),
    Clause(
        code="QB-1.2",
        section="Equipment and set-up",
        words=(
            "Set-up: Kinds and numbers as in section 1; else REJECT piece-count. Kinds are "
            "told apart by shape and size. A setup is tested in the order QB-1.6, 1.2, 1.3."
        ),
    ),
    Clause(
        code="QB-1.3",
        section="Equipment and set-up",
        words=(
            "Before each half: All pieces go to their standard places: OK; else REJECT "
            "setup. An accepted setup after a half starts the next one (position field 5: "
            "1.1, 1.2, 2.1, 2.2); sides change with the half, so capitals are always the "
            "attacker of that half."
        ),
    ),
    Clause(
        code="QB-1.4",
        section="Equipment and set-up",
        words=(
            "The line of scrimmage separates row 0 from row 1. Row >= 1 is over it, row <= "
            "0 behind it."
        ),
    ),
    Clause(
        code="QB-1.5",
        section="Equipment and set-up",
        words=(
            "Before each half: The quarterback has the ball. The ball is put on the board "
            "only when passed to an unoccupied square."
        ),
    ),
    Clause(
        code="QB-1.6",
        section="Equipment and set-up",
        words="Exactly one quarterback, on the attacking side; else REJECT quarterbacks.",
    ),
    Clause(
        code="QB-2.1",
        section="Course of a game",
        words="A game: Two halves; who attacks in the first defends in the second: ATTACK.",
    ),
    Clause(
        code="QB-2.2",
        section="Course of a game",
        words="Before the game: A coin decides who attacks first.",
    ),
    Clause(
        code="QB-2.3",
        section="Course of a game",
        words="Each half: The attacker acts first; then the sides alternate: TURN.",
    ),
    Clause(
        code="QB-2.4",
        section="Course of a game",
        words=(
            "Carrier tackled, or pass intercepted: The half ends at once, in the middle of "
            "a turn if need be: HALF-END. Nothing else ends it (except QB-2.10, 2.12). A "
            "later move or pass: FOUL half-over, lifted by restored or by the next setup; "
            "shift, lift, ball and displacements that nobody tapped get no ruling now, "
            "since the pieces are being set out anew. end, concede, stall: REFUSED half- "
            "over (not-set-up before the first half)."
        ),
    ),
    Clause(
        code="QB-2.5",
        section="Course of a game",
        words=(
            "Tackle on rows 1-12: The attacker scores row + column of the carrier's square "
            "(not the tackler's): row 8, column 4 gives 12."
        ),
    ),
    Clause(
        code="QB-2.6",
        section="Course of a game",
        words="Interception: 0 points.",
    ),
    Clause(
        code="QB-2.7",
        section="Course of a game",
        words=(
            "Tackle behind the line: Row 0: 0 + column. Unnumbered row: 0 points; the "
            "author's page calls such squares unnumbered, so there is no pair of numbers to "
            "add."
        ),
    ),
    Clause(
        code="QB-2.8",
        section="Course of a game",
        words=(
            "Carrier on row 12: No touchdown, no automatic end: play goes on until QB-2.4. "
            "Largest score: 12 + 11 = 23."
        ),
    ),
    Clause(
        code="QB-2.9",
        section="Course of a game",
        words="After two halves: More points wins the game; equal points draw it: GAME.",
    ),
    Clause(
        code="QB-2.10",
        section="Course of a game",
        words=(
            "Both sides agree that the carrier is as good as tackled: concede: ruled as a "
            "tackle on the carrier's present square, in either side's turn, also in mid- "
            "turn. The defender's wish alone is not enough (he would concede at once, while "
            "the quarterback stands on an unnumbered row). With a loose ball: REFUSED no- "
            "carrier."
        ),
    ),
    Clause(
        code="QB-2.11",
        section="Course of a game",
        words=(
            "Advice: The attacker tries to gain many points by running and passing, the "
            "defender to prevent it. No ruling."
        ),
    ),
    Clause(
        code="QB-2.12",
        section="Course of a game",
        words=(
            "Nobody tackles: The defender gains nothing by tackling a carrier that stands "
            "well, and the half would never end. stall by the attacker: if the same carrier "
            "stood on its present square at the end of each of the attacker's last 10 "
            "turns, ruled as a tackle there: TACKLE sq @QB-2.12. Else, or with a loose "
            "ball: REFUSED not-stalled. The position string does not hold the count."
        ),
    ),
    Clause(
        code="QB-3.1",
        section="Turns and movement",
        words="Single moves: 1 step. More: FOUL too-far @QB-3.1.",
    ),
    Clause(
        code="QB-3.2",
        section="Turns and movement",
        words="Double moves: 1 or 2 steps.",
    ),
    Clause(
        code="QB-3.3",
        section="Turns and movement",
        words="Triple moves: 1 to 3 steps.",
    ),
    Clause(
        code="QB-3.4",
        section="Turns and movement",
        words=(
            "Quarterback moves: 1 to 3 steps if the square where its move begins is behind "
            "the line; 1 to 4 if that square is on rows 1-12, also when it goes back behind "
            "the line (field: the starting square counts, and row 0 is behind)."
        ),
    ),
    Clause(
        code="QB-3.5",
        section="Turns and movement",
        words=(
            "Each step: On to one of the eight adjacent squares on the board; the direction "
            "may change from step to step. Else FOUL not-a-step or off-board. These are "
            "maxima: fewer steps are allowed."
        ),
    ),
    Clause(
        code="QB-3.6",
        section="Turns and movement",
        words=(
            "The square is occupied: Not allowed (FOUL occupied), whatever the side, except "
            "a tackle (QB-7) or a push by stepping on (QB-6.2)."
        ),
    ),
    Clause(
        code="QB-3.7",
        section="Turns and movement",
        words=(
            "Leaping: No piece jumps over another: a displacement that no sequence of legal "
            "steps explains is FOUL no-legal-path."
        ),
    ),
    Clause(
        code="QB-3.8",
        section="Turns and movement",
        words=(
            "Attacker's turn: One of: two moves; a move and a pass; a pass and a move; two "
            "passes. So moves + passes <= 2; a third is FOUL third-action."
        ),
    ),
    Clause(
        code="QB-3.9",
        section="Turns and movement",
        words=(
            "A pass is made: Then only one piece may move in that turn, of whatever kind: "
            "FOUL two-moves-and-pass, whichever comes last."
        ),
    ),
    Clause(
        code="QB-3.10",
        section="Turns and movement",
        words=(
            "Double, Triple, quarterback: Its steps form one sequence. If another piece has "
            "moved since, it may not go on, even with steps left: FOUL interrupted."
        ),
    ),
    Clause(
        code="QB-3.11",
        section="Turns and movement",
        words=(
            "A pass during a move: Does not interrupt: the piece may go on with its "
            "remaining steps. This holds for a pass made by the moving piece, made to it, "
            "or made between others."
        ),
    ),
    Clause(
        code="QB-3.12",
        section="Turns and movement",
        words=(
            "Defender's turn: One or two moves of different pieces, no passes; a third is "
            "FOUL third-move."
        ),
    ),
    Clause(
        code="QB-3.13",
        section="Turns and movement",
        words=(
            "Same piece again in a turn after its sequence: Not allowed: two moves are "
            "moves of two pieces. FOUL moved-twice if another piece has moved since and it "
            "had no steps left (with steps left: QB-3.10); if none has moved since, the "
            "step is simply one too many: too-far."
        ),
    ),
    Clause(
        code="QB-3.14",
        section="Turns and movement",
        words=(
            "End of turn: At least one action is needed (FOUL no-action), unless no move or "
            "pass is legal (then TURN); two need not be used (assumed)."
        ),
    ),
    Clause(
        code="QB-4.1",
        section="Offside",
        words=(
            "Defending Triple: Every step must be on to rows 1-12; else FOUL offside "
            "@QB-4.1. No release changes this."
        ),
    ),
    Clause(
        code="QB-4.2",
        section="Offside",
        words=(
            "Defending Double or Single, before release: Every step must be on to row 1, "
            "row 0 or an unnumbered row; a step on to rows 2-12 is FOUL offside @QB-4.2."
        ),
    ),
    Clause(
        code="QB-4.3",
        section="Offside",
        words=(
            "An attacking Double or the quarterback steps on to a square of rows 1-12: "
            "RELEASE, at that step, with or without the ball, also if it goes back in the "
            "same move. Triples and Singles release nobody. A push is not a step of the "
            "pushed piece and releases nobody; its next own step on rows 1-12 does. From an "
            "unseen route only the end square counts."
        ),
    ),
    Clause(
        code="QB-4.4",
        section="Offside",
        words=(
            "After release: Defending Doubles and Singles may go anywhere for the rest of "
            "the half, whatever the attackers do."
        ),
    ),
    Clause(
        code="QB-4.5",
        section="Offside",
        words=(
            "A defender is pushed on to a row it may not enter: Allowed: the offside rules "
            "restrict its own steps only. It may lie there; its next own step must again be "
            "on to a permitted row, tackling steps included."
        ),
    ),
    Clause(
        code="QB-5.1",
        section="Blocking",
        words="Blocking strengths: Single 3, Double 2, Triple 1, quarterback 1.",
    ),
    Clause(
        code="QB-5.2",
        section="Blocking",
        words=(
            "Diagonal step: From (c, r) to (c+x, r+y) with x, y = +1 or -1, the two corner "
            "squares are (c+x, r) and (c, r+y), the only squares orthogonally adjacent to "
            "both ends. If at least one holds an opposing piece of equal or greater "
            "strength than the mover, the step is FOUL blocked-diagonal. Own pieces and "
            "weaker opposing pieces on corner squares do not matter. Straight steps are "
            "never barred by this rule."
        ),
    ),
    Clause(
        code="QB-5.3",
        section="Blocking",
        words=(
            "Triple or quarterback, each step: May not step on to a square adjacent to an "
            "opposing Single: FOUL next-to-single, also in passing and also when tackling. "
            "A piece that already stands there (QB-6.4, 6.5, 6.6) may stay, and may leave "
            "to a square that is not next to an opposing Single."
        ),
    ),
    Clause(
        code="QB-6.1",
        section="Pushing",
        words=(
            "Only an opposing piece of smaller strength can be pushed; else FOUL push-too- "
            "strong. So Singles push D, T, Q; Doubles push T, Q; Triples and the "
            "quarterback push nothing. Both sides may push."
        ),
    ),
    Clause(
        code="QB-6.2",
        section="Pushing",
        words=(
            "Double steps on to a Triple's (or ball-less quarterback's) square; Single on "
            "to a Double's square: With step (x, y) the pushed piece goes from q to q + (x, "
            "y): PUSH. The step is an ordinary step otherwise (distance, offside, QB-5.2). "
            "A Double may push with each of its steps, the same piece twice if need be. A "
            "Single may not step on to a Triple's or quarterback's square (QB-3.6)."
        ),
    ),
    Clause(
        code="QB-6.3",
        section="Pushing",
        words=(
            "A Single steps on to a square s adjacent to an opposing Triple or ball-less "
            "quarterback at t: The piece goes from t to t + (t - s): one square straight or "
            "diagonally away. Not optional (a Triple or quarterback has no business next to "
            "a Single). Several such pieces: each along its own line, ruled in the order N, "
            "NE, E, SE, S, SW, W, NW as seen from s (N = towards row 12; no order can "
            "change the outcome: the target squares lie two away from s and are all "
            "different). Pieces that were adjacent before and still are after the step are "
            "pushed as well. A Single that does not move pushes nobody."
        ),
    ),
    Clause(
        code="QB-6.4",
        section="Pushing",
        words=(
            "Target square occupied or off the board: No push. By QB-6.2 the step itself is "
            "then FOUL push-no-room. By QB-6.3 the Single may still stop there: NO-PUSH, "
            "the piece stays."
        ),
    ),
    Clause(
        code="QB-6.5",
        section="Pushing",
        words=(
            "Triple or quarterback would land next to a Single of the pushing side: No "
            "push: FOUL push-next-to-single (QB-6.2) or NO-PUSH (QB-6.3)."
        ),
    ),
    Clause(
        code="QB-6.6",
        section="Pushing",
        words=(
            "The mover is the carrier at that step: It cannot push: stepping on is FOUL "
            "carrier-push; a Single next to a Triple gives NO-PUSH. A piece that has passed "
            "earlier in its move is no longer the carrier; one that picked the ball up is."
        ),
    ),
    Clause(
        code="QB-6.7",
        section="Pushing",
        words=(
            "The opposing piece is the carrier: It is never pushed: the contact is a tackle (QB-7)."
        ),
    ),
    Clause(
        code="QB-6.8",
        section="Pushing",
        words=(
            "Effects of a push: A pushed piece is moved, not moving: diagonal, zone (except "
            "QB-6.5) and offside rules do not apply to its displacement, it uses no action. "
            "If it reaches a loose ball QB-8.8 / 8.9 apply. It releases nobody (QB-4.3)."
        ),
    ),
    Clause(
        code="QB-7.1",
        section="Tackling",
        words=(
            "Only defending pieces tackle, only the carrier, only in the defender's turn, "
            "only by a move."
        ),
    ),
    Clause(
        code="QB-7.2",
        section="Tackling",
        words="By stepping on: The tackler steps on to the carrier's square: TACKLE.",
    ),
    Clause(
        code="QB-7.3",
        section="Tackling",
        words=(
            "Single against quarterback or Triple: It is enough that the Single steps on to "
            "any square adjacent to the carrier (moving from one adjacent square to another "
            "counts). A Single that already stands next to the carrier may also step on to "
            "it. If other pieces would be pushed by the same step, the tackle comes first "
            "and ends the half."
        ),
    ),
    Clause(
        code="QB-7.4",
        section="Tackling",
        words="Who can tackle whom: Table below. A pair without tackle: FOUL cannot-tackle.",
    ),
    Clause(
        code="QB-7.5",
        section="Tackling",
        words=(
            "Tackling step: Obeys distance, offside (QB-4), diagonals (QB-5.2) and, for a "
            "Triple, QB-5.3: a carrier next to one of its own Singles is out of a Triple's "
            "reach."
        ),
    ),
    Clause(
        code="QB-8.1",
        section="Passing",
        words="Who: Only the carrier passes: FOUL no-ball.",
    ),
    Clause(
        code="QB-8.2",
        section="Passing",
        words=(
            "Forward pass (target row > passer's row): Only by the quarterback: FOUL "
            "forward-pass @QB-8.2. Sideways and backward passes are open to every carrier."
        ),
    ),
    Clause(
        code="QB-8.3",
        section="Passing",
        words=(
            "Forward pass, place: Only from behind the line, judged by the quarterback's "
            "square at that moment: FOUL forward-pass @QB-8.3."
        ),
    ),
    Clause(
        code="QB-8.4",
        section="Passing",
        words="Distance: Any.",
    ),
    Clause(
        code="QB-8.5",
        section="Passing",
        words=(
            "Line: The passer stays; the ball travels in a straight row, column or diagonal "
            "line: dc = 0 or dr = 0 or abs(dc) = abs(dr), and not to its own square. Else, "
            "or off the board: FOUL not-a-line."
        ),
    ),
    Clause(
        code="QB-8.6",
        section="Passing",
        words=(
            "Free line: No piece of either side on the squares strictly between: FOUL line- "
            "blocked. Corner squares of a diagonal pass do not matter."
        ),
    ),
    Clause(
        code="QB-8.7",
        section="Passing",
        words=(
            "Target: A team-mate (CATCH, it becomes the carrier) or an unoccupied square. "
            "On to an opposing piece: FOUL pass-to-opponent."
        ),
    ),
    Clause(
        code="QB-8.8",
        section="Passing",
        words=(
            "Unoccupied target: LOOSE; the first piece to reach the square, in passing or "
            "at rest, moving or pushed, takes the ball: PICKUP. The ball blocks nobody."
        ),
    ),
    Clause(
        code="QB-8.9",
        section="Passing",
        words="That first piece is a defender: INTERCEPT: QB-2.4, QB-2.6.",
    ),
    Clause(
        code="QB-8.10",
        section="Passing",
        words=(
            "That first piece is an attacker: It is the carrier from then on and may go on "
            "with its steps."
        ),
    ),
    Clause(
        code="QB-9.1",
        section="Full match",
        words=(
            "Full match: Two games, because defending first is an advantage: one knows what "
            "to beat."
        ),
    ),
    Clause(
        code="QB-9.2",
        section="Full match",
        words=(
            "Second game: The player who defended first in game one attacks first. Order of "
            "attack for toss winner X: X, Y; Y, X."
        ),
    ),
    Clause(
        code="QB-9.3",
        section="Full match",
        words=(
            "Result: More match points wins; equal is a draw: MATCH. Nothing follows: FOUL "
            "match-over."
        ),
    ),
    Clause(
        code="QB-9.4",
        section="Full match",
        words="Points: 2 for a won game, 1 for a draw: MATCH-POINTS.",
    ),
    Clause(
        code="QB-9.5",
        section="Full match",
        words=(
            "The six outcomes: win both 4-0 won; win and draw 3-1 won; win and lose 2-2 "
            "drawn; draw both 2-2 drawn; draw and lose 1-3 lost; lose both 0-4 lost."
        ),
    ),
    Clause(
        code="QB-10.1",
        section="Irregularities and procedure",
        words="Moved piece not where the referee has it: FOUL no-such-piece.",
    ),
    Clause(
        code="QB-10.2",
        section="Irregularities and procedure",
        words=(
            "A side acts before the other has done anything in its turn: FOUL out-of-turn. "
            "A move belongs to the side of the piece, a pass always to the attacker. Once "
            "the side to act has acted, the other's act is judged as in its own turn: "
            "legal, it ends the turn (QB-10.7, TURN first); not legal, its own foul is "
            "cited and the turn has not changed."
        ),
    ),
    Clause(
        code="QB-10.3",
        section="Irregularities and procedure",
        words=(
            "Only start and end of a move seen: The referee takes the shortest legal route "
            "that explains exactly the displaced pieces and whether the ball was picked up "
            "(ties: directions in the order N, NE, E, SE, S, SW, W, NW, compared step by "
            "step from the first) and announces it: PATH. If none does, the same search "
            "with pushes still due (QB-10.5). If none does, the ball may still lie on the "
            "route, or have been taken before (QB-8.8). A piece that comes to rest on the "
            "ball hides it, so there nothing is asked. If none does: adjacent squares are "
            "judged as a direct step; a king distance above the steps left is too-far; "
            "anything else no-legal-path, with the step that bars the way nearest to the "
            "end. The player may tap another route that explains the board as well; it then "
            "counts as seen."
        ),
    ),
    Clause(
        code="QB-10.4",
        section="Irregularities and procedure",
        words=(
            "Ball disc seen on a square while there is a carrier: On the carrier's square: "
            "OK @QB-1.5. Elsewhere in the attacker's turn, or when the defender has acted: "
            "treated as a pass from the carrier, INFO pass-inferred, then judged by QB-8. "
            "Elsewhere before the defender has acted in its turn: FOUL ball-moved @QB-10.6. "
            "A loose ball seen on its square is OK @QB-1.5 too."
        ),
    ),
    Clause(
        code="QB-10.5",
        section="Irregularities and procedure",
        words=(
            "Push not or wrongly carried out on the board: Missing: PUSH-DUE with all "
            "missing pieces, in the order of their PUSH, from first to last square; a due "
            "shift is OK @QB-10.5, the last one FIXED; everything else waits until then, "
            "also the TURN of that move (shift ... => FIXED, then TURN). Other square, or a "
            "piece that was not pushed: FOUL wrong-push, the whole move is undone; a wrong "
            "shift while a push is due is kept back like any other fact. Nothing is due "
            "once the half is over."
        ),
    ),
    Clause(
        code="QB-10.6",
        section="Irregularities and procedure",
        words=(
            "Piece or ball shifted or missing without a move: FOUL piece-shifted, piece- "
            "missing, ball-moved. After a pick-up the disc goes off the board or on to the "
            "carrier; seen anywhere else it is ball-moved."
        ),
    ),
    Clause(
        code="QB-10.7",
        section="Irregularities and procedure",
        words=(
            "End of a turn: By end; or by the first legal action of the other side; or by "
            "itself when the two actions are used and no open sequence has steps left "
            "(whether or not a step would be legal). A side cut short by the other's act "
            "may object (not-ended) before its own next act: the other's acts since then "
            "are undone, the first is FOUL out-of-turn @QB-10.2, and the turn goes on. With "
            "nothing to object to: REFUSED turn-ended. So is an end by a side that is not "
            "to act; one that was kept back while the turn ended by itself drops out."
        ),
    ),
    Clause(
        code="QB-10.8",
        section="Irregularities and procedure",
        words=(
            "A foul stands: The fouled fact has no effect at all; later facts are kept back "
            "(HOLD) until restored (or the due shift): FIXED; then they are judged in "
            "order. A kept fact that is itself undone drops out."
        ),
    ),
    Clause(
        code="QB-10.9",
        section="Irregularities and procedure",
        words=(
            "Several moves in one settled frame: INFO order-presumed, then they are ruled "
            "one by one. Presumed: the first order (side to act first, then by start "
            "square, column before row) in which all are legal and together explain the "
            "displaced pieces; if none, the order by start square, the rest waiting behind "
            "the first foul."
        ),
    ),
    Clause(
        code="QB-10.10",
        section="Irregularities and procedure",
        words=(
            "A pass to a piece was not announced: It has not been made: the carrier on "
            "record keeps the ball. Announced late, it counts if both sides confirm it; it "
            "is then inserted in the log at the place they name and everything after it is "
            "judged anew. Until then a step on to a piece that has the ball only in the "
            "players' minds is judged as what it is on record: a push, or a foul."
        ),
    ),
    Clause(
        code="QB-10.11",
        section="Irregularities and procedure",
        words="Coin or setup after the first action of a half: REFUSED started.",
    ),
)
