"""Every clause of the Q-Square rulebook, in our words (docs/games/qsquare.md, section 5)."""

from rules.game import Clause

CLAUSES: tuple[Clause, ...] = (
    Clause(
        code="QS-1.1",
        section="Description",
        words="Before a match: the board must be a square, smooth table divided into the "
        "zones of 1.3; otherwise profile refused",
    ),
    Clause(
        code="QS-1.2",
        section="Description",
        words="Before a match: inside side 1016 ± 0.5 %",
        exceptions="Profile may set another L",
    ),
    Clause(
        code="QS-1.3",
        section="Description",
        words="Before a game: equipment count: n object pucks per player (8: 16 for two "
        "players, 32 for four), one white Queen, one larger cue-puck",
        exceptions="QS-1.4, QS-2.7",
    ),
    Clause(
        code="QS-1.4",
        section="Description",
        words="Sides agree before the game: any n, also unequal n per side",
        exceptions="Rack limit in 1.2",
    ),
    Clause(
        code="QS-1.5",
        section="Description",
        words="Target pucks are attacked only with the cue-puck, driven by a cue",
        exceptions="QS-4.6, QS-5.2",
    ),
    Clause(
        code="QS-2.1",
        section="Object of the game",
        words="The pucks to pocket are the other side's colour",
        exceptions="Queen at the end",
    ),
    Clause(
        code="QS-2.2",
        section="Object of the game",
        words="Legal shot, at least one target puck pocketed: shooter keeps the turn",
        exceptions="QS-2.5",
    ),
    Clause(
        code="QS-2.3",
        section="Object of the game",
        words="No target puck pocketed by the shot (and no win): turn lost",
        exceptions="QS-X.1 (no shot made)",
    ),
    Clause(
        code="QS-2.4",
        section="Object of the game",
        words="Penalty or foul shot: turn lost",
    ),
    Clause(
        code="QS-2.5",
        section="Object of the game",
        words="Legal shot pocketing at least one target and at least one own puck: all stay "
        "pocketed, turn lost, no penalty",
    ),
    Clause(
        code="QS-2.6",
        section="Object of the game",
        words="Queen on, all target pucks gone from the table, Queen then pocketed by a "
        "legal shot: shooter's side wins the game",
        exceptions="QS-7.2, QS-8d",
    ),
    Clause(
        code="QS-2.7",
        section="Object of the game",
        words="Sides agree: the game is played without Queen (qs.queen = off); QS-7.x, 8c, "
        "8d never apply",
    ),
    Clause(
        code="QS-2.8",
        section="Object of the game",
        words="Qs.queen = off, legal shot leaves no target puck: shooter's side wins the game",
        exceptions="QS-X.12",
    ),
    Clause(
        code="QS-2.9",
        section="Object of the game",
        words="Sides agree: a set of games is played: best of 3 or best of 5 (qs.best_of = "
        "1 | 3 | 5)",
    ),
    Clause(
        code="QS-3.1",
        section="Racking",
        words="RACKING: object pucks lie in RACKBAND between the black and the red line",
        exceptions="Tolerance section 2",
    ),
    Clause(
        code="QS-3.2",
        section="Racking",
        words="RACKING: each colour in one group, the groups on opposite sides",
        exceptions="Four players: QS-10.4, QS-10.5",
    ),
    Clause(
        code="QS-3.3",
        section="Racking",
        words="RACKING: pucks of a group touch (each touches its neighbours)",
    ),
    Clause(
        code="QS-3.4",
        section="Racking",
        words="RACKING: a puck holder may be used; hands allowed",
    ),
    Clause(
        code="QS-3.5",
        section="Racking",
        words="RACKING, Queen on: Queen on the centre",
    ),
    Clause(
        code="QS-4.1",
        section="Striking the cue-puck",
        words="Cue-puck struck while not inside the shooter's Home Zone: fault (QS-4.7)",
        exceptions="A drag is no strike (QS-X.1); struck by the wrong player: QS-X.23",
    ),
    Clause(
        code="QS-4.2",
        section="Striking the cue-puck",
        words="After each shot: the player who shoots next brings the cue-puck back into "
        "his or her Home Zone, with the cue",
        exceptions="A cue-puck that is off the surface is put back by hand in SERVICE",
    ),
    Clause(
        code="QS-4.3",
        section="Striking the cue-puck",
        words="AIMING: free placement anywhere in the Home Zone, any number of adjustments",
        exceptions="QS-4.4, QS-4.5",
    ),
    Clause(
        code="QS-4.4",
        section="Striking the cue-puck",
        words="At the strike: the cue-puck may overlap the zone line but the line must not "
        "show in its hole (H1); otherwise fault (QS-4.7)",
    ),
    Clause(
        code="QS-4.5",
        section="Striking the cue-puck",
        words="Game in play: no hand on, above or touching the playing surface; hands only "
        "on the borders; otherwise fault (QS-4.7). Projection ≤ 5 mm over the edge is "
        "ignored (assumed). One unbroken projection is one fault, of the state in "
        "which it began",
        exceptions="RACKING and SERVICE states; QS-X.13 for a player who is not shooting",
    ),
    Clause(
        code="QS-4.6",
        section="Striking the cue-puck",
        words="At the strike: only the cue's tip may strike the cue-puck; otherwise fault (QS-4.7)",
    ),
    Clause(
        code="QS-4.7",
        section="Striking the cue-puck",
        words="Any fault under QS-4.1 to 4.6: foul, turn lost, no penalty puck (QS-8f); "
        "pucks dropped by that shot do not count (QS-6.1)",
        exceptions="Penalties caused by the same shot still apply",
    ),
    Clause(
        code="QS-4.8",
        section="Striking the cue-puck",
        words="Cue-puck passes its zone line (H2) and touches no target puck: foul; penalty "
        "QS-8a.3",
        exceptions="QS-8n.1; QS-X.16 (Queen unlocked); if the first contact is an own puck, a "
        "dead puck or the Queen, the rule for *that* contact applies instead (section "
        "6, step 3)",
    ),
    Clause(
        code="QS-4.9",
        section="Striking the cue-puck",
        words="Shots need not be called. qs.call_shots = off | on: puck and pocket are "
        "named first; if a target drops but not as called (or no call was entered), "
        "it stays pocketed and the turn is lost; a Queen not as called goes back to "
        "the centre and the turn is lost; no penalty",
        exceptions="The call enters as a human input before the stroke",
    ),
    Clause(
        code="QS-5.1",
        section="Opening break",
        words="Before game 1: the right of decision is found by lag or by lot (qs.opening = "
        "lag | lot)",
        exceptions="The lot, or a lag that was not filmed, enters as a result (H); four players: "
        "each team names one player, and the team that breaks names its breaker",
    ),
    Clause(
        code="QS-5.2",
        section="Opening break",
        words="Lag: two object pucks, one per player, equally far from one side (difference "
        "≤ 5 mm)",
        exceptions="Queen and rack not on the table",
    ),
    Clause(
        code="QS-5.3",
        section="Opening break",
        words="Lag: each player shoots so that the object puck reaches and bounces off the "
        "opposite border; a puck that does not touch that border, is pocketed or "
        "leaves the table loses the lag",
        exceptions="Both fail: repeat",
    ),
    Clause(
        code="QS-5.4",
        section="Opening break",
        words="Lag: the puck resting nearer that opposite border wins; equal within "
        "uncertainty: human decides or repeat",
    ),
    Clause(
        code="QS-5.5",
        section="Opening break",
        words="Lag or lot won: winner chooses: break, or assign the break to the opponent",
    ),
    Clause(
        code="QS-5.6",
        section="Opening break",
        words="Opening break: judged like any other shot",
    ),
    Clause(
        code="QS-6.1",
        section="Pocketed pucks",
        words="Puck falls from the surface into a pocket, stays, and the shot is legal: "
        'pocketed. On a foul shot no object puck of either colour is "pocketed": '
        "each one that fell returns to the table (QS-X.3)",
        exceptions="Qs.foul_drops = return_all | own_stay_down | all_stay_down (8a.6 and 8e keep "
        "their returns; with queen = off the last target puck to fall in a foul "
        "always returns: a foul wins nothing)",
    ),
    Clause(
        code="QS-6.2",
        section="Pocketed pucks",
        words="Puck rebounds from a pocket onto the surface: not pocketed, stays where it "
        "comes to rest",
    ),
    Clause(
        code="QS-6.3",
        section="Pocketed pucks",
        words="Puck comes to rest on a border or the floor: off the game, and the shot is "
        "penalised (QS-8b; cue-puck: QS-8a.2; Queen: QS-X.6)",
        exceptions="QS-8e (a directly hit Central puck comes back); QS-X.5",
    ),
    Clause(
        code="QS-7.1",
        section="Queen",
        words="Start of game: the small white Queen stands on the centre",
        exceptions="QS-2.7",
    ),
    Clause(
        code="QS-7.2",
        section="Queen",
        words="Target pucks of a side still on the table: the Queen is *locked* for that "
        "side: must not be hit first (QS-8c) or pocketed (QS-8d). It unlocks the "
        "moment no target puck is on the table and locks again if one comes back",
    ),
    Clause(
        code="QS-7.3",
        section="Queen",
        words="End of game, Queen on: the Queen must be pocketed to decide the winner; "
        "clearing the pucks alone does not win",
    ),
    Clause(
        code="QS-8.1",
        section="Penalties",
        words="A penalty puck is a target puck that had been pocketed earlier (by whomever) "
        "and comes back into play",
    ),
    Clause(
        code="QS-8.2",
        section="Penalties",
        words="Penalty while no target puck is down: the penalty is *collected*: recorded "
        "as debt, with its prescribed place",
    ),
    Clause(
        code="QS-8.3",
        section="Penalties",
        words="The shooter's side loses the turn, for any reason, and at least one target "
        "puck is down: debt is paid now: min(debt, down) pucks return, oldest debt "
        "first; the rest stays owed. Pucks pocketed by this very shot count as down. "
        "Debt does not block a win",
        exceptions="Qs.debt_blocks_win = off | on (on: a winning shot by a side in debt pays "
        "first, the Queen goes back, the turn is lost)",
    ),
    Clause(
        code="QS-8a.1",
        section="Penalties",
        words="Cue-puck pocketed: penalty a",
    ),
    Clause(
        code="QS-8a.2",
        section="Penalties",
        words="Cue-puck off the game field: penalty a",
    ),
    Clause(
        code="QS-8a.3",
        section="Penalties",
        words="Cue-puck misses (QS-4.8): penalty a",
        exceptions="QS-8n.1",
    ),
    Clause(
        code="QS-8a.4",
        section="Penalties",
        words="First contact is an own puck: penalty a",
        exceptions="QS-8n.2",
    ),
    Clause(
        code="QS-8a.5",
        section="Penalties",
        words="Any penalty a: one penalty puck into the penalty zone at the rim of the "
        "opponent's Home Zone (QS-X.9). Several causes 8a.1 to 8a.4 in one shot make "
        "one penalty",
        exceptions="Four players: QS-10.6",
    ),
    Clause(
        code="QS-8a.6",
        section="Penalties",
        words="Cue-puck pocketed and an object puck falls in the same shot: two return: the "
        "puck that fell (QS-6.1) plus the penalty puck; with k object pucks of either "
        "colour fallen, k + 1. With no target down before, the fallen ones return and "
        "the penalty becomes debt",
        exceptions="Qs.scratch_returns = k_plus_1 | always_2 (k ≥ 2: the first two that fell "
        "return, the others stay down, no further puck is owed)",
    ),
    Clause(
        code="QS-8b",
        section="Penalties",
        words="An object puck (either colour) leaves the table over a border: one penalty "
        "puck per such puck, in the Central Zone as near the centre as possible",
        exceptions="The forced-off puck itself: QS-6.3, QS-X.5",
    ),
    Clause(
        code="QS-8c",
        section="Penalties",
        words="Queen locked and first contact is the Queen: Queen back to its place; one "
        "penalty puck to the opponent's penalty zone",
    ),
    Clause(
        code="QS-8d.1",
        section="Penalties",
        words="Queen falls while target pucks are on the table: Queen back to its place; "
        "one penalty puck to the Central Zone, near the centre",
        exceptions="Order of drops: section 6, step 4",
    ),
    Clause(
        code="QS-8d.2",
        section="Penalties",
        words="Agreed (qs.early_queen = penalty | loss_of_game): QS-8d.1 costs the game instead",
    ),
    Clause(
        code="QS-8e",
        section="Penalties",
        words="First contact is a target puck that is dead in RED, and the cue-puck touched "
        "no border before (direct hit): that puck returns to the Central Zone (its "
        "pre-shot spot, wherever it went; also if it fell or left the table); one "
        "penalty puck to the opponent's penalty zone",
        exceptions="QS-9.6, QS-9.8",
    ),
    Clause(
        code="QS-8f",
        section="Penalties",
        words="Any other foul (miscue, QS-4.7, QS-9.5, QS-9.8, QS-X.21): turn lost, no "
        "penalty puck",
        exceptions="Penalties a to e in the same shot still apply",
    ),
    Clause(
        code="QS-8g",
        section="Penalties",
        words="Any penalty: turn lost automatically",
    ),
    Clause(
        code="QS-8n.1",
        section="Penalties",
        words="Before the shot at least one target puck is on the table and all are dead "
        "for the shooter; the cue-puck misses: no penalty and not a foul; turn lost "
        "(QS-2.3)",
    ),
    Clause(
        code="QS-8n.2",
        section="Penalties",
        words="Same condition; cue-puck touched a border, then first contacted an own puck: "
        "no penalty and not a foul; QS-2.2, 2.3, 2.5 decide the turn",
    ),
    Clause(
        code="QS-8n.3",
        section="Penalties",
        words="Any other penalty in such a shot: applies in full; these are the only exceptions",
    ),
    Clause(
        code="QS-9.1",
        section="Dead Zones",
        words="Pucks of either colour inside RED are dead",
        exceptions="Queen: A16",
    ),
    Clause(
        code="QS-9.2",
        section="Dead Zones",
        words="Target pucks inside the shooter's own Home Zone are dead",
    ),
    Clause(
        code="QS-9.3",
        section="Dead Zones",
        words="Target pucks inside either pocket zone next to that Home Zone are dead",
    ),
    Clause(
        code="QS-9.4",
        section="Dead Zones",
        words="Inside test: H3",
        exceptions="Section 4.4",
    ),
    Clause(
        code="QS-9.5",
        section="Dead Zones",
        words="First contact is a target puck dead in HOME or POCKETZONE: legal only if the "
        "cue-puck touched the opposite border before; otherwise foul QS-8f: turn "
        "lost, no penalty puck",
        exceptions="Qs.home_dead_direct = foul | penalty",
    ),
    Clause(
        code="QS-9.6",
        section="Dead Zones",
        words="A target puck dead in RED: legal if hit by the cue-puck after the opposite "
        "border (other borders before or after it do not matter), or through another "
        "target puck (first contact on a live target puck; what follows is not "
        "judged)",
    ),
    Clause(
        code="QS-9.7",
        section="Dead Zones",
        words="QS-9.6 violated by a direct hit (no border before): foul, turn lost, and "
        "penalty QS-8e",
    ),
    Clause(
        code="QS-9.8",
        section="Dead Zones",
        words="QS-9.6 violated, but not by a direct hit: a border was touched before, never "
        "the opposite one: foul QS-8f: turn lost, no penalty puck; the puck is "
        "treated as any other (QS-6.1, X.3)",
        exceptions="Qs.side_border = foul_only | direct (direct: QS-9.7 and 8e)",
    ),
    Clause(
        code="QS-10.1",
        section="Four players",
        words="Four players: two teams of two; counts, debt, Queen lock and win belong to the team",
    ),
    Clause(
        code="QS-10.2",
        section="Four players",
        words="Four players: 32 pucks, 16 per team",
    ),
    Clause(
        code="QS-10.3",
        section="Four players",
        words="Four players: partners stand opposite each other and share a colour",
    ),
    Clause(
        code="QS-10.4",
        section="Four players",
        words="RACKING: a team's two rows lie opposite each other",
    ),
    Clause(
        code="QS-10.5",
        section="Four players",
        words="RACKING: the rows facing a player and partner are the opponents' colour",
    ),
    Clause(
        code="QS-10.6",
        section="Four players",
        words='Four players: everything else as for two. "Home Zone" is the shooter\'s own '
        "seat's; \"opponent's Home Zone\" is that of the opponent who shoots next",
    ),
    Clause(
        code="QS-X.1",
        section="Gap rules",
        words="A *stroke* is a motion of the cue-puck in AIMING in which it runs on without "
        "the cue or reaches 300 mm/s (assumed). Slower motion with the cue staying at "
        "it is a *drag*: allowed by QS-4.2 and 4.3 whatever line it passes. A stroke "
        "after which the cue-puck neither crosses a Home line, touches a puck, falls, "
        "nor leaves the surface is not a shot; the player may place it again. "
        "qs.weak_stroke = replay | turn_lost",
    ),
    Clause(
        code="QS-X.2",
        section="Gap rules",
        words="First contact with two pucks at once is judged in the shooter's favour if "
        "the order cannot be separated and the human referee confirms it was a split "
        "hit. qs.split_hit = shooter | fault (fault: the contact that costs more "
        "counts)",
    ),
    Clause(
        code="QS-X.3",
        section="Gap rules",
        words="Fallen target pucks of a foul shot go to the opponent's penalty zone if the "
        "shot has a penalty a, c or e, otherwise to the Central Zone near the centre. "
        "Fallen own pucks go to the Central Zone near the centre",
    ),
    Clause(
        code="QS-X.4",
        section="Gap rules",
        words="An own puck pocketed by a legal shot stays down and counts for the "
        "opponents. If that, or an own puck going off, clears the colour, the "
        "opponents' Queen unlocks, or with qs.queen = off the opponents win",
    ),
    Clause(
        code="QS-X.5",
        section="Gap rules",
        words="A forced-off object puck leaves the game for good: it need not be pocketed "
        "and cannot serve as a penalty puck. Guard: if after payment the shooter has "
        "no target puck on the table because the last went off and none was down, "
        "that puck (of several, one) is put in the Central Zone and settles its own "
        "8b penalty. qs.off_puck = stays_off | returns_too | is_the_penalty "
        "(returns_too: it is put in the Central Zone, and the penalty puck is owed "
        "besides; is_the_penalty: it is put there and nothing more is due)",
    ),
    Clause(
        code="QS-X.6",
        section="Gap rules",
        words="Queen forced off: back to its place, one penalty puck to the Central Zone "
        "(as QS-8b), turn lost",
    ),
    Clause(
        code="QS-X.7",
        section="Gap rules",
        words="Faults add up: one penalty per letter a, c, d, e and one per forced-off puck "
        "(b) in each shot; at most one of {miss, own first, Queen first, dead hit} "
        "because there is one first contact. qs.multi_penalty = per_letter | "
        "worst_only (worst_only: one penalty puck in all, placed for the first that "
        "applies of a, c, e, d, b; everything else is unchanged)",
    ),
    Clause(
        code="QS-X.8",
        section="Gap rules",
        words="Restoration order after a shot: Queen, puck of QS-8e, fallen target pucks, "
        "fallen own pucks, penalty pucks",
    ),
    Clause(
        code="QS-X.9",
        section="Gap rules",
        words="Spots (field: Latvian rules put the penalty disc on the middle line at the "
        "edge, else as near as possible). A spot is *free* if the puck there lies on "
        "the surface, over no pocket, and overlaps no other puck (touching is "
        "allowed). Penalty zone: the middle of the border (0, −508 + R) for S, else "
        "the nearest free spot along that border, ties to the left as seen from that "
        "seat, going on outside the penalty zone if it is full. Central Zone: the "
        "free spot nearest (0, 0), which is (0, 0) itself while no Queen or puck is "
        "there; ties go to the spot farthest from the offender's seat, then "
        "clockwise. Queen: (0, 0), else the free spot nearest to it. Puck of QS-8e: "
        "its pre-shot spot, else the free spot nearest to it. Pucks are placed one by "
        "one in the order of QS-X.8, by hand, by either player or the referee, in "
        "SERVICE; accepted within 5 mm of the computed spot or of another equally "
        "near one. The penalty places are those at the moment of payment",
    ),
    Clause(
        code="QS-X.10",
        section="Gap rules",
        words="Turns alternate (two players) or go clockwise seen from above, S, W, N, E "
        "(four players; field: mini-novuss doubles)",
    ),
    Clause(
        code="QS-X.11",
        section="Gap rules",
        words="Later games of a set: the break alternates between the sides (a team names "
        "its breaker). qs.next_break = alternate | loser | winner",
    ),
    Clause(
        code="QS-X.12",
        section="Gap rules",
        words="Qs.queen = off and one legal shot clears both colours: the shooter's side "
        "wins. qs.double_finish = shooter | drop_order | opponent",
    ),
    Clause(
        code="QS-X.13",
        section="Gap rules",
        words="Hand over the surface by a player who is not shooting: recorded and "
        "announced, no turn to lose. Disturbed pucks are put back; whether a shot "
        "spoiled by it stands or is played again is asked. qs.idle_hand = warn | "
        "lose_next_turn (that player's next turn is skipped and counts as lost, "
        "QS-8.3)",
    ),
    Clause(
        code="QS-X.14",
        section="Gap rules",
        words="A puck that falls into a pocket by itself within 5 s (assumed) of end of "
        "motion and before the next stroke belongs to the shot: the ruling, given at "
        "end of motion, is made anew with it. Later it is put back on the lip",
    ),
    Clause(
        code="QS-X.15",
        section="Gap rules",
        words="A puck that touches a border top and comes back onto the surface has not left it",
    ),
    Clause(
        code="QS-X.16",
        section="Gap rules",
        words="Queen unlocked for the shooter: the Queen is the object-on. Crossing without "
        "touching it costs the turn only (QS-2.3), since the penalty is for missing "
        "an opponent's puck and none is left; own puck first is 8a.4. qs.queen_miss = "
        "turn_only | penalty (penalty: 8a.3)",
    ),
    Clause(
        code="QS-X.17",
        section="Gap rules",
        words="A Queen moved by a legal shot stays where it stops",
    ),
    Clause(
        code="QS-X.18",
        section="Gap rules",
        words="A cue-puck resting against a puck has not hit it; if that puck moves when "
        "the cue-puck is struck it is the first contact",
    ),
    Clause(
        code="QS-X.19",
        section="Gap rules",
        words="TOO CLOSE TO CALL facts go to the human referee (section 4.4)",
    ),
    Clause(
        code="QS-X.20",
        section="Gap rules",
        words="Debt belongs to the side, and is cancelled when the game ends; it never "
        "passes to the next game",
    ),
    Clause(
        code="QS-X.21",
        section="Gap rules",
        words="The shooter disturbs a puck with cue or cue-puck while bringing it back or "
        "aiming: foul QS-8f, positions restored by the human referee. qs.aim_disturb "
        "= foul | restore_only. A puck moved by nobody at the table is put back "
        "without a ruling",
    ),
    Clause(
        code="QS-X.22",
        section="Gap rules",
        words="A side may concede (H): the other side wins the game",
    ),
    Clause(
        code="QS-X.23",
        section="Gap rules",
        words="A stroke by a player whose turn it is not (it came from another seat's Home "
        "Zone, or a person says so; ask): void, positions restored, the right player "
        "shoots; no penalty",
    ),
    Clause(
        code="QS-X.24",
        section="Gap rules",
        words="A puck that ends standing on its rim, leaning on a border or lying on "
        "another is on the surface: laid flat (H) at the free spot nearest to where "
        "it touches the surface, before the next stroke",
    ),
)
