"""Every clause of the rulebook, as `sightline rules squarin_off` prints them."""

from rules.game import Clause

CLAUSES = (
    Clause(
        code="SO-1.1",
        section="Equipment and players",
        words=(
            "The board is 10 x 10 = 100 playing squares with 220 grooves (seed; grooves derived)."
        ),
    ),
    Clause(
        code="SO-1.2",
        section="Equipment and players",
        words=(
            "At set-up: Exactly 60 squares count 1, 28 count 2, 12 count 3. A layout with"
            " other counts is REJECT layout."
        ),
    ),
    Clause(
        code="SO-1.3",
        section="Equipment and players",
        words=(
            "A board in other colours: The pattern of values counts, not the printed "
            "colours. The profile's pattern is used for every ruling."
        ),
    ),
    Clause(
        code="SO-1.4",
        section="Equipment and players",
        words=(
            "Whenever a stick is needed: It comes from the common pool of 230. At most "
            "220 can ever lie on the board, so the pool cannot run dry."
        ),
    ),
    Clause(
        code="SO-1.5",
        section="Equipment and players",
        words="At set-up: Box: 80 black, 80 white, 40 blue, 40 yellow chips.",
    ),
    Clause(
        code="SO-1.6",
        section="Equipment and players",
        words="At set-up: 12 blockers: 6, 4 or 3 for each of 2, 3 or 4 players.",
    ),
    Clause(
        code="SO-1.7",
        section="Equipment and players",
        words="Number of players: 2, 3 or 4; anything else is REJECT players.",
    ),
    Clause(
        code="SO-1.8",
        section="Equipment and players",
        words=(
            "Colours and chips: Every player has one colour; only partners may share one,"
            " else REJECT colours. Issue: 80 chips each for two players, 40 each for "
            "three or four."
        ),
    ),
    Clause(
        code="SO-1.9",
        section="Equipment and players",
        words=(
            "Pairs wanted: Only with four players; partners sit opposite each other "
            "(seats 1+3, 2+4) and may use one colour. Otherwise REJECT teams (not four "
            "players) or REJECT team-seating (a colour shared by opponents). A setup is "
            "tested in the order SO-1.7, 1.9, 1.8, 1.2, 1.10; if good: OK @SO-1.10. "
            "Blockers stay personal: 3 per player."
        ),
    ),
    Clause(
        code="SO-1.10",
        section="Equipment and players",
        words=(
            "Before the first stick: Each player picks a personal blocker allotment "
            "according to skill: 2-6 with two players, 2-4 with three, 2-3 with four. It "
            "is a maximum, not a duty. Outside the range: REJECT allotment."
        ),
    ),
    Clause(
        code="SO-2.1",
        section="Who begins, and order",
        words=(
            "Two players: One player hides a black and another chip in two hands; whoever"
            " gets the black chip begins. The referee takes the result as declared: START"
            " n."
        ),
    ),
    Clause(
        code="SO-2.2",
        section="Who begins, and order",
        words=(
            "Three or four players: One chip per player, exactly one black, in a bag; who"
            " draws black begins: START n."
        ),
    ),
    Clause(
        code="SO-2.3",
        section="Who begins, and order",
        words=(
            "After each turn: The turn goes to the next seat clockwise; with two players "
            "it alternates."
        ),
    ),
    Clause(
        code="SO-2.4",
        section="Who begins, and order",
        words=(
            "Setup or draw after the first stick or blocker: REFUSED started. Before it "
            "either may be repeated; the last one counts. Without draw seat 1 begins."
        ),
    ),
    Clause(
        code="SO-3.1",
        section="The turn",
        words=(
            "A stick is seated in an empty groove by the player on turn: Legal anywhere "
            "on the board, on any side of any square, inner or rim: OK. It need not touch"
            " other sticks."
        ),
    ),
    Clause(
        code="SO-3.2",
        section="The turn",
        words=(
            "The stick is the fourth side of an open square: The square is completed; it "
            "belongs to the player who placed that stick, whoever placed the other three:"
            " CLOSE. Exception: blocked squares (SO-4.9)."
        ),
    ),
    Clause(
        code="SO-3.3",
        section="The turn",
        words=(
            "After a completion: The owner puts a chip of the own colour on every square "
            "completed: MARK. Order and moment within the turn are free."
        ),
    ),
    Clause(
        code="SO-3.4",
        section="The turn",
        words=(
            "One stick is the fourth side of the open squares on both of its sides: Both "
            "are completed and both belong to the mover: two CLOSE (by name), still only "
            "one continuation."
        ),
    ),
    Clause(
        code="SO-3.5",
        section="The turn",
        words=(
            "The stick completed at least one square and open squares remain: The same "
            "player plays on: AGAIN. Not after a blocker (SO-4.5)."
        ),
    ),
    Clause(
        code="SO-3.6",
        section="The turn",
        words=(
            "Closable squares are left alone: Allowed: closing as many as possible is the"
            " aim, but overlooking or declining squares is no offence. Log MISSED k if k "
            "> 0: on the board just before the turn-ending stick (a blocker of that turn "
            "already in place, its duty ignored) close closable squares again and again "
            "until none is left; k is their number, less those that the turn-ending stick"
            " itself completes. The order of closing does not matter."
        ),
    ),
    Clause(
        code="SO-3.7",
        section="The turn",
        words=(
            "The stick completed nothing: The turn ends: TURN next. Every turn must end "
            "with such a stick (exceptions SO-3.9, SO-4.5). After completions the player "
            "therefore owes one more stick."
        ),
    ),
    Clause(
        code="SO-3.8",
        section="The turn",
        words=(
            "A player wants to pass: Not possible: each turn has at least one stick: "
            "REFUSED no-pass. A placeable stick always exists while the game runs."
        ),
    ),
    Clause(
        code="SO-3.9",
        section="The turn",
        words=(
            "The completion filled the last open square: No further stick is owed; the "
            "game is over (SO-5.1)."
        ),
    ),
    Clause(
        code="SO-3.10",
        section="The turn",
        words=(
            "A stick gives the opponent squares, or fewer squares than possible are "
            "taken: Never a foul. Creating many squares and leaving few is advice."
        ),
    ),
    Clause(
        code="SO-4.1",
        section="Blockers",
        words=(
            "Purpose: A blocker breaks up a string of nearly closed squares so that the "
            "opponent gets few or none. Using one is optional."
        ),
    ),
    Clause(
        code="SO-4.2",
        section="Blockers",
        words=(
            "A blocker is placed by the player on turn: The square must be open: no chip,"
            " no blocker, not completed (a completed square that still lacks its chip is "
            "not open). Else FOUL blocker-on-filled. Any number of its sides from 0 to 3 "
            "may already be filled."
        ),
    ),
    Clause(
        code="SO-4.3",
        section="Blockers",
        words=(
            "Order in the turn: The blocker goes down before the turn-ending stick. A "
            "blocker placed by the player who has just ended the turn, before the next "
            "player has played, is FOUL blocker-after-stick."
        ),
    ),
    Clause(
        code="SO-4.4",
        section="Blockers",
        words=(
            "After the blocker: The next stick must go on a side of the blocked square "
            "that is still open: OK @SO-4.4. Elsewhere: FOUL stick-away-from-blocker. "
            "Such a side always exists."
        ),
    ),
    Clause(
        code="SO-4.5",
        section="Blockers",
        words=(
            "Blocker and its stick are down: The turn ends, even if that stick completed "
            "the square on its other side. That square still counts for the mover."
        ),
    ),
    Clause(
        code="SO-4.6",
        section="Blockers",
        words="A second blocker in the same turn: FOUL second-blocker.",
    ),
    Clause(
        code="SO-4.7",
        section="Blockers",
        words=(
            "Another blocker on one of the eight king-adjacent squares: FOUL blocker-"
            "adjacent. The ring of one square around a blocker stays free of blockers; "
            "chips may be there."
        ),
    ),
    Clause(
        code="SO-4.8",
        section="Blockers",
        words=(
            "The player's allotment is used up: FOUL no-blockers-left. Blockers of a "
            "partner cannot be borrowed."
        ),
    ),
    Clause(
        code="SO-4.9",
        section="Blockers",
        words=(
            "A blocked square: Belongs to nobody, scores nothing, takes no chip (FOUL "
            "chip-on-blocker). Filling its fourth side completes nothing: DEAD; such a "
            "stick ends the turn unless it completes a square on its other side."
        ),
    ),
    Clause(
        code="SO-4.10",
        section="Blockers",
        words=(
            "Completions and a blocker in one turn: Allowed: completions first, then "
            "blocker and stick as the end of the turn."
        ),
    ),
    Clause(
        code="SO-4.11",
        section="Blockers",
        words=(
            "Effect on a string: A string is a row of open squares, each with exactly two"
            " filled sides, joined through their open sides. A stick that gives one end a"
            " third side lets the opponent run along it. A blocked square stops the run, "
            "because closing its far side completes nothing. Examples: scenarios SO-S22 "
            "(eleven cut to three), SO-S23 (the same without a blocker: eleven), SO-S24 "
            "(nine cut to none)."
        ),
    ),
    Clause(
        code="SO-4.12",
        section="Blockers",
        words="Blocker on the board: It stays to the end of the game (assumed).",
    ),
    Clause(
        code="SO-5.1",
        section="End and scoring",
        words=(
            "After a stick, every one of the 100 squares is completed or blocked: GAME. "
            "Checked after each stick only, never between a blocker and its stick. Open "
            "grooves on the rim of blocked squares do not matter. Further sticks or "
            "blockers: FOUL game-over; missing chips may still be placed. Things taken "
            "off after the end get no ruling."
        ),
    ),
    Clause(
        code="SO-5.2",
        section="End and scoring",
        words=(
            "Scoring: A side scores 1, 2 or 3 for each square it owns according to the "
            "layout. Blocked squares count for nobody. Owned means completed by it, chip "
            "or no chip."
        ),
    ),
    Clause(
        code="SO-5.3",
        section="End and scoring",
        words=(
            "Scoring during play: Allowed; running and final scoring give the same "
            "totals. A tally in mid-game is compared with the running totals."
        ),
    ),
    Clause(
        code="SO-5.4",
        section="End and scoring",
        words=(
            "One side has the highest total: It wins. Points decide, not the number of squares."
        ),
    ),
    Clause(
        code="SO-5.5",
        section="End and scoring",
        words=(
            "Several sides share the highest total: They win jointly: GAME K=W ..., cited"
            " also when the sides are pairs."
        ),
    ),
    Clause(
        code="SO-5.6",
        section="End and scoring",
        words=(
            "Pairs: The pair's total is the sum of both partners' squares; the pairs are compared."
        ),
    ),
    Clause(
        code="SO-5.7",
        section="End and scoring",
        words=(
            "Players announce totals: Compared with the referee's: TALLY ok or TALLY "
            "wrong with the right numbers of the sides that were wrong."
        ),
    ),
    Clause(
        code="SO-6.1",
        section="Irregularities",
        words=(
            "Stick not seated: WAIT, not a placement. A stick put on a groove that is "
            "already filled: FOUL groove-taken."
        ),
    ),
    Clause(
        code="SO-6.2",
        section="Irregularities",
        words="Stick or blocker by a seat not on turn: FOUL out-of-turn.",
    ),
    Clause(
        code="SO-6.3",
        section="Irregularities",
        words=(
            "A further stick by the seat whose turn has just ended: FOUL second-stick; "
            "any other seat not on turn is SO-6.2. Both need by. If both sticks came in "
            "one frame, the first by name is credited provisionally; the player may take "
            "back either, and the one left stands."
        ),
    ),
    Clause(
        code="SO-6.4",
        section="Irregularities",
        words="A settled stick is taken away or moved: FOUL stick-moved; it goes back.",
    ),
    Clause(
        code="SO-6.5",
        section="Irregularities",
        words=(
            "Chip on an open square: FOUL chip-on-open-square, also when three sides are filled."
        ),
    ),
    Clause(
        code="SO-6.6",
        section="Irregularities",
        words=(
            "Chip colour differs from the owner's: FOUL wrong-colour. The explanation "
            "names the owner and the stick that completed the square, and adds that a "
            "skipped turn-ending stick would look the same. If that is what happened, the"
            " operator enters by on the stick: it becomes FOUL out-of-turn and everything"
            " after it is judged anew."
        ),
    ),
    Clause(
        code="SO-6.7",
        section="Irregularities",
        words="Second chip on a square: FOUL second-chip.",
    ),
    Clause(
        code="SO-6.8",
        section="Irregularities",
        words="Chip taken away or moved: FOUL chip-moved; it goes back.",
    ),
    Clause(
        code="SO-6.9",
        section="Irregularities",
        words=(
            "A turn ends and a square completed in it has no chip: MARK-DUE, in the order"
            " of completion. Ownership is not affected. The chip may be placed later: "
            "MARK @SO-3.3 until the next seat's first legal stick or blocker, MARK ... "
            "late @SO-6.9 afterwards."
        ),
    ),
    Clause(
        code="SO-6.10",
        section="Irregularities",
        words=(
            "A blocker foul: The first failing test decides which is cited: SO-5.1, "
            "SO-4.3 or SO-6.2, SO-4.6, SO-4.8, SO-4.2, SO-4.7."
        ),
    ),
    Clause(
        code="SO-6.11",
        section="Irregularities",
        words="Blocker taken away or moved: FOUL blocker-moved; it goes back.",
    ),
    Clause(
        code="SO-6.12",
        section="Irregularities",
        words=(
            "A colour owns more squares than it was issued chips: SHORT, once per colour."
            " The squares count, bare or with any marker that is not a chip of a colour "
            "in play (such a chip is SO-6.6). Their own turn's MARK-DUE names them all "
            "the same."
        ),
    ),
    Clause(
        code="SO-6.13",
        section="Irregularities",
        words=(
            "Several facts in one frame: INFO order-presumed, then one by one. Presumed "
            "order: whatever was taken away, completing sticks (again and again the first "
            "by name that now completes a square not blocked in this frame), chips of the "
            "squares completed so far (as listed), blockers by square, stick on the "
            "blocked square, other sticks by name, other chips by square, the rest. If "
            "that gives a foul, the same is tried with one stick put first, each by name "
            "(the turn may have changed hands within the frame); the first order without "
            "foul is taken. If there is none, the presumed order is ruled with its foul. "
            "by is respected throughout."
        ),
    ),
    Clause(
        code="SO-6.14",
        section="Irregularities",
        words=(
            "No by: The seat on turn is credited. So an unseen late blocker counts as the"
            " next player's, an unseen second stick as the next player's stick; only by "
            "can tell the difference. A chip is judged by its colour, whoever's hand "
            "placed it."
        ),
    ),
    Clause(
        code="SO-6.15",
        section="Irregularities",
        words=(
            "A foul stands: The position is unchanged. Later facts are kept back (HOLD), "
            "except the undoing one (or restored), which gives FIXED; a kept fact that is"
            " itself undone drops out; then the kept facts are judged in order."
        ),
    ),
    Clause(
        code="SO-7.1",
        section="Advice",
        words="Leave the opponent as few squares as possible.",
    ),
    Clause(
        code="SO-7.2",
        section="Advice",
        words=(
            "Do not build long strings (runs of squares whose opposite or adjoining sides"
            " are filled)."
        ),
    ),
    Clause(
        code="SO-7.3",
        section="Advice",
        words="Break strings early, even at the price of a few squares.",
    ),
    Clause(
        code="SO-7.4",
        section="Advice",
        words="The board fills faster than expected; stay attentive.",
    ),
    Clause(
        code="SO-7.5",
        section="Advice",
        words=(
            "Keep blockers for the late middle and the end of the game, and use them sparingly."
        ),
    ),
)
