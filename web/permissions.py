"""The table of who reaches what. A route that is not in it is refused to everybody."""

from web.access import Role

OPEN = None

NEEDS: dict[str, Role | None] = {
    # open to all: what a device needs to join, and whether the server lives (numbers only)
    "static": OPEN,
    "door.join_page": OPEN,
    "door.join": OPEN,
    "door.leave": OPEN,
    "door.me": OPEN,
    "door.authority": OPEN,
    "language.words": OPEN,
    "health.healthz": OPEN,
    "health.readyz": OPEN,
    "health.metrics": OPEN,
    # what a stream of the match shows
    "scoreboard.board": Role.OVERLAY,
    "scoreboard.overlay": Role.OVERLAY,
    "feed.stream": Role.OVERLAY,
    "feed.state": Role.OVERLAY,
    # looking on
    "pages.match": Role.VIEWER,
    "pages.clauses": Role.VIEWER,
    "pages.evidence": Role.VIEWER,
    "pages.live": Role.VIEWER,
    "feed.rulings": Role.VIEWER,
    "review.matches": Role.VIEWER,
    "review.match": Role.VIEWER,
    "review.shelf": Role.VIEWER,
    "review.still": Role.VIEWER,
    "review.picture": Role.VIEWER,
    "review.overlay": Role.VIEWER,
    "review.measure": Role.VIEWER,
    "revising.moment": Role.VIEWER,
    "again.again": Role.VIEWER,
    "health.page": Role.VIEWER,
    "health.findings": Role.VIEWER,
    "looking.moment": Role.VIEWER,
    "looking.overlay": Role.VIEWER,
    # what players say
    "taps.declarations": Role.SCORER,
    "taps.preview_declaration": Role.SCORER,
    # what a referee decides
    "taps.decisions": Role.REFEREE,
    "taps.preview_decision": Role.REFEREE,
    "review.protest": Role.REFEREE,
    "revising.preview": Role.REFEREE,
    "revising.decide": Role.REFEREE,
    "again.look_again": Role.REFEREE,
    # who may be here at all
    "door.devices_page": Role.OWNER,
    "door.devices": Role.OWNER,
    "door.invite": Role.OWNER,
    "door.withdraw": Role.OWNER,
    "door.revoke": Role.OWNER,
    "door.give_role": Role.OWNER,
}
