"""Who may talk to the page's server: the checks that stand before every route.

A page on any site that the referee's browser visits can send requests to a server on the loopback
or in the hall (DNS rebinding, cross-site requests). So the Host must be one of ours, and whatever
writes must come from one of our own pages: its Origin must be ours, and it must carry a header that
no form and no foreign script can set without asking first.
"""

from collections.abc import Collection
from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, request

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
MAX_BODY_BYTES = 64 * 1024
TAP_HEADER = "X-Sightline"

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
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


def install_guard(app: Flask, allowed_hosts: Collection[str]) -> None:
    """Check Host and Origin before every request, and put the headers on every answer."""
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    app.config["SIGHTLINE_HOSTS"] = LOOPBACK_NAMES | {name.lower() for name in allowed_hosts}
    app.before_request(_check_request)
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
        abort(400, "This address is not one that Sightline answers to (see --host).")
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"{request.scheme}://{request.headers.get('Host', '')}":
        abort(403, "Requests from other sites are refused.")
    if request.headers.get("Sec-Fetch-Site", "none") == "cross-site" and not _is_plain_visit():
        abort(403, "Requests from other sites are refused.")
    if request.method not in {"GET", "HEAD", "OPTIONS"} and TAP_HEADER not in request.headers:
        abort(403, f"A write needs the header {TAP_HEADER}.")


def _is_plain_visit() -> bool:
    """Say whether this is somebody following a link to the page itself."""
    return request.method == "GET" and request.headers.get("Sec-Fetch-Mode") == "navigate"


def _add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
    return response
