"""Every clause of the rulebook, as `sightline rules king_square` prints them."""

from rules.game import Clause

CLAUSES = (
    Clause(
        code="KS-1.1",
        section="Equipment and players",
        words=(
            "The field is the profile's rectangle of holes, default 10 x 10. Squares are "
            "counted in hole spacings."
        ),
    ),
    Clause(
        code="KS-1.2",
        section="Equipment and players",
        words="Colours: The two sides use different colours; else REJECT colours.",
    ),
    Clause(
        code="KS-1.3",
        section="Equipment and players",
        words="Number of players: 2, or 4 as two pairs; else REJECT players.",
    ),
    Clause(
        code="KS-1.4",
        section="Equipment and players",
        words="Four players: Partners sit opposite each other (seats 1+3, 2+4).",
    ),
    Clause(
        code="KS-1.5",
        section="Equipment and players",
        words=(
            "Four players: Partners use one colour and divide its pegs between them at the "
            "start; else REJECT partner-colours. A setup is tested in the order KS-1.3, "
            "1.2, 1.5; if good: OK @KS-1.3."
        ),
    ),
    Clause(
        code="KS-1.6",
        section="Equipment and players",
        words="Score: Each King-Square is recorded on the score board.",
    ),
    Clause(
        code="KS-1.7",
        section="Equipment and players",
        words=(
            "Supply: Each side has the number of pegs in the profile, default half of the "
            "holes rounded up."
        ),
    ),
    Clause(
        code="KS-2.1",
        section="The turn",
        words=(
            "After a legal peg without King-Square: The turn passes: alternately with two "
            "players, clockwise with four (TURN)."
        ),
    ),
    Clause(
        code="KS-2.2",
        section="The turn",
        words=(
            "Peg in an empty hole of the field by the player on turn: OK. Any empty hole is"
            " legal, next to other pegs or not. Outside the field: FOUL off-field."
        ),
    ),
    Clause(
        code="KS-2.3",
        section="The turn",
        words="Colour: The peg has the colour of the player's side.",
    ),
    Clause(
        code="KS-2.4",
        section="The turn",
        words="Pegs on the field: They stay where they are until the field is cleared.",
    ),
    Clause(
        code="KS-2.5",
        section="The turn",
        words="No King-Square yet: Play continues; blocking a corner is the only defence.",
    ),
    Clause(
        code="KS-2.6",
        section="The turn",
        words=(
            "First board: The declared seat starts (START); default seat 1 (assumed). begin"
            " or setup after the first peg of the match: REFUSED started."
        ),
    ),
    Clause(
        code="KS-2.7",
        section="The turn",
        words=(
            "A player wants to pass, or plays no peg: Not possible: REFUSED no-pass. "
            "Exactly one peg per turn."
        ),
    ),
    Clause(
        code="KS-3.1",
        section="The King-Square",
        words=(
            "After a legal peg of side X on (c, r) there are k >= 1 and a corner (x, y) "
            "such that (x, y), (x+k, y), (x, y+k), (x+k, y+k) are all in the field, all "
            "hold X pegs, and (c, r) is one of them: KING X. All four corners must be X; "
            "one opposing peg or empty hole on a corner and there is nothing. A claim is "
            "tested in this order: four different holes with the claimant's pegs (REFUSED "
            "corners @KS-3.1); upright square (KS-3.6); upright rectangle (KS-3.4); square "
            "at an angle (KS-3.3); anything else REFUSED no-square @KS-3.4."
        ),
    ),
    Clause(
        code="KS-3.2",
        section="The King-Square",
        words=(
            "Size: Any k from 1 (four neighbouring holes) to min(columns, rows) - 1. Size "
            "does not change the value: one King-Square."
        ),
    ),
    Clause(
        code="KS-3.3",
        section="The King-Square",
        words=(
            "Tilted squares: Do not count; a claim is REFUSED tilted. Only squares whose "
            "sides run along the rows and columns count."
        ),
    ),
    Clause(
        code="KS-3.4",
        section="The King-Square",
        words=(
            "Rectangles: Do not count (REFUSED rectangle): the four sides must be equal and"
            " the angles right. The formula in KS-3.1 holds exactly for upright squares."
        ),
    ),
    Clause(
        code="KS-3.5",
        section="The King-Square",
        words=(
            "Pegs inside the square or on its sides between the corners: Of no importance, "
            "whatever colour and number."
        ),
    ),
    Clause(
        code="KS-3.6",
        section="The King-Square",
        words=(
            "Moment: No claim is needed; one made for a square that stands is INFO already-"
            "called, by either side and at any time before the field is cleared. The square"
            " is made by the peg that fills the last of the four corners, at once, and by "
            "the side whose peg it is. A fouled peg makes nothing. Since a legal peg has "
            "the mover's colour, nobody can make a square for the other side; where both "
            "sides need one more corner, the one whose turn comes first makes it, even on a"
            " hole that both need."
        ),
    ),
    Clause(
        code="KS-3.7",
        section="The King-Square",
        words=(
            "One peg completes several squares: One King-Square is recorded: the board ends"
            " with it. All are named in MULTI."
        ),
    ),
    Clause(
        code="KS-3.8",
        section="The King-Square",
        words="Pairs: Pegs of both partners count together.",
    ),
    Clause(
        code="KS-4.1",
        section="After the King-Square",
        words="King-Square: Recorded at once: RECORD.",
    ),
    Clause(
        code="KS-4.2",
        section="After the King-Square",
        words=(
            "Score below five: All pegs are taken out: CLEAR-DUE, then CLEARED when the "
            "field is empty."
        ),
    ),
    Clause(
        code="KS-4.3",
        section="After the King-Square",
        words="Two players: The player who lost that board starts the next: START.",
    ),
    Clause(
        code="KS-4.4",
        section="After the King-Square",
        words=(
            "Pairs: A new board is started by the next seat clockwise after the maker; that"
            " seat always belongs to the losing pair."
        ),
    ),
    Clause(
        code="KS-4.5",
        section="After the King-Square",
        words="Repeat: Boards follow until a side has five King-Squares.",
    ),
    Clause(
        code="KS-4.6",
        section="After the King-Square",
        words=(
            "Fifth King-Square of a side: MATCH: that side, player or pair, has won. No "
            "clearing is needed; pegs taken out now give CLEARING / CLEARED @KS-4.2 without"
            " START."
        ),
    ),
    Clause(
        code="KS-4.7",
        section="After the King-Square",
        words="After the match: No further peg counts: FOUL board-closed.",
    ),
    Clause(
        code="KS-5.1",
        section="Boards without a King-Square",
        words=(
            "The field is full without a King-Square: VOID: nobody scores; the field is "
            "cleared; the seat after the last player starts (START @KS-5.1, for every void "
            "board)."
        ),
    ),
    Clause(
        code="KS-5.2",
        section="Boards without a King-Square",
        words=(
            "Every possible square has at least one peg of each side on its corners: DEAD-"
            "BOARD, once. Play may go on, or both agree: VOID. An agreement before that is "
            "REFUSED not-dead. Tested after each legal peg; the supply is not considered. A"
            " position read from a string does not know whether it was told, so it may be "
            "told once more."
        ),
    ),
    Clause(
        code="KS-5.3",
        section="Boards without a King-Square",
        words=(
            "The next side has no peg left: VOID, as KS-5.1. The supply is the side's, "
            "whoever of two partners holds it. FOUL no-pegs-left (the side on turn has its "
            "whole supply on the field) can only follow a position set up by hand."
        ),
    ),
    Clause(
        code="KS-6.1",
        section="Irregularities",
        words="Peg into an occupied hole, or on top of a peg: FOUL hole-taken.",
    ),
    Clause(
        code="KS-6.2",
        section="Irregularities",
        words=(
            "Peg by a seat not on turn, or of the side not on turn: FOUL out-of-turn. Also "
            "when a partner plays for the partner."
        ),
    ),
    Clause(
        code="KS-6.3",
        section="Irregularities",
        words=(
            "Another peg by the seat (or, without by, in the colour) that has just played "
            "on this board: FOUL second-peg."
        ),
    ),
    Clause(
        code="KS-6.4",
        section="Irregularities",
        words="The player on turn places a peg of the other colour: FOUL wrong-colour.",
    ),
    Clause(
        code="KS-6.5",
        section="Irregularities",
        words=(
            "A peg is moved or taken out during a board: FOUL peg-moved; it goes back. A "
            "peg seen in another colour than before is taken out and put in."
        ),
    ),
    Clause(
        code="KS-6.6",
        section="Irregularities",
        words=(
            "A peg is played after a King-Square or void board before the field is clear, "
            "or after the match: FOUL board-closed."
        ),
    ),
    Clause(
        code="KS-6.7",
        section="Irregularities",
        words=(
            "Pegs are left on the field: The next board does not start until the last one "
            "is out; pegs played earlier fall under KS-6.6."
        ),
    ),
    Clause(
        code="KS-6.8",
        section="Irregularities",
        words=(
            "The score board shows something else: FOUL scoreboard; to be corrected to the "
            "referee's score. A right one is OK @KS-4.1, at any time."
        ),
    ),
    Clause(
        code="KS-6.9",
        section="Irregularities",
        words=(
            "The field is cleared without a King-Square, void board or agreement: FOUL "
            "swept; the position string is used to rebuild it. clear on an empty field: no "
            "ruling."
        ),
    ),
    Clause(
        code="KS-6.10",
        section="Irregularities",
        words="No by: The colour tells the side; the seat on turn is credited.",
    ),
    Clause(
        code="KS-6.11",
        section="Irregularities",
        words=(
            "A foul stands: Position unchanged; later facts are kept back (HOLD); the "
            "undoing fact gives FIXED; a kept fact that is itself undone drops out; then "
            "kept facts are judged in order."
        ),
    ),
    Clause(
        code="KS-6.12",
        section="Irregularities",
        words=(
            "Several pegs in one frame: Presumed order: alternating, the side on turn "
            "first, within a side by name: INFO order-presumed, then one by one. If a King-"
            "Square falls, pegs after it are KS-6.6. Pegs of one side beyond what "
            "alternation allows are fouled by KS-6.3 (KS-6.2 if that side has not just "
            "played); what follows a foul is kept back. Where another alternating order "
            "would give other King-Squares, or none, it is INFO order-open instead: the "
            "presumed order is ruled, the referee is asked, and an order given by the "
            "operator replaces it."
        ),
    ),
    Clause(
        code="KS-6.13",
        section="Irregularities",
        words=(
            "Nobody at the table noticed a King-Square: The referee calls it at the peg "
            "that made it; pegs seen later fall under KS-6.6."
        ),
    ),
)
