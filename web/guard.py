"""Who may talk to the page's server: the checks that stand before every route.

First where a request comes from, then (where devices must join) who sends it: `web.permissions`
says what each route needs, and what is not in that table is refused.

A page on any site that the referee's browser visits can send requests to a server on the loopback
or in the hall (DNS rebinding, cross-site requests). So the Host must be one of ours, and whatever
writes must come from one of our own pages: its Origin must be ours, and it must carry a header that
no form and no foreign script can set without asking first.
"""

from collections.abc import Collection
from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, g, redirect, request, url_for
from flask.typing import ResponseReturnValue

from rules.said import say
from web.access import ROLE_WORDS, Access, Device, Role, may
from web.permissions import NEEDS

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
MAX_BODY_BYTES = 64 * 1024
TAP_HEADER = "X-Sightline"

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "media-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def install_guard(app: Flask, allowed_hosts: Collection[str], access: Access | None) -> None:
    """Check Host, Origin and role before every request, and put the headers on every answer.

    Without `access` whoever reaches the server is its owner: for the loopback only.
    """
    app.extensions["sightline.access"] = access
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    app.config["SIGHTLINE_HOSTS"] = LOOPBACK_NAMES | {name.lower() for name in allowed_hosts}
    app.before_request(_check_request)
    app.before_request(_check_role)
    app.after_request(_add_headers)


def host_name(netloc: str) -> str | None:
    """Return the host of "host", "host:port" or "[v6]:port", lower case; None where it is none."""
    try:
        parts = urlsplit(f"//{netloc}")
        _ = parts.port  # a port that is no number raises here
    except ValueError:
        return None
    if parts.username is not None or parts.path or parts.query or parts.fragment:
        return None
    return parts.hostname


def _check_request() -> None:
    host = host_name(request.headers.get("Host", ""))
    if host not in current_app.config["SIGHTLINE_HOSTS"]:
        abort(400, say("This address is not one that Sightline answers to (see --host)."))
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"{request.scheme}://{request.headers.get('Host', '')}":
        abort(403, say("Requests from other sites are refused."))
    if request.headers.get("Sec-Fetch-Site", "none") == "cross-site" and not _is_plain_visit():
        abort(403, say("Requests from other sites are refused."))
    if _writes() and TAP_HEADER not in request.headers:
        abort(403, say("A write needs the header {header}.", header=TAP_HEADER))


def access_here() -> Access | None:
    """Return the devices of the app that answers now; None where nobody need join."""
    access = current_app.extensions["sightline.access"]
    assert access is None or isinstance(access, Access)
    return access


def cookie_name() -> str:
    """Return the name of our cookie; browsers keep one jar for all ports of a host."""
    port = urlsplit(f"//{request.host}").port
    return f"{'__Host-' if request.is_secure else ''}sightline_{port or 0}"


def device_here() -> Device | None:
    """Return the device that asks, where devices must join."""
    device = g.get("device")
    assert device is None or isinstance(device, Device)
    return device


def role_here() -> Role | None:
    """Return what whoever asks may do; None: nobody that we know."""
    role = g.get("role")
    assert role is None or isinstance(role, Role)
    return role


def _check_role() -> ResponseReturnValue | None:
    access = access_here()
    if access is None:
        g.role = Role.OWNER
    else:
        device = access.known(request.cookies.get(cookie_name()), writes=_writes())
        g.device, g.role = device, None if device is None else device.role
    if request.endpoint is None:
        return None  # no such page: the answer is 404 or 405 for everybody
    if request.endpoint not in NEEDS:
        abort(403, say("Nobody may do this."))
    need = NEEDS[request.endpoint]
    if may(g.role, need):
        return None
    role = role_here()
    if role is None and request.method == "GET" and _wants_page():
        return redirect(url_for("door.join_page"))
    if need is None or role is None:
        abort(403, say("This device has not joined, or is no longer let in."))
    needed = say(
        "This is for the {need}; this device has joined as {role}.",
        need=ROLE_WORDS[need],
        role=ROLE_WORDS[role],
    )
    return abort(403, needed)


def _writes() -> bool:
    return request.method not in {"GET", "HEAD", "OPTIONS"}


def _wants_page() -> bool:
    if "Sec-Fetch-Dest" in request.headers:
        return request.headers["Sec-Fetch-Dest"] == "document"
    best = request.accept_mimetypes.best_match(("application/json", "text/html"))
    return best == "text/html"


def _is_plain_visit() -> bool:
    """Say whether this is somebody following a link to the page itself."""
    return request.method == "GET" and request.headers.get("Sec-Fetch-Mode") == "navigate"


def _add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
    return response
