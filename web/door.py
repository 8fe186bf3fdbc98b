"""Joining by QR code or PIN, and who is here: the pages and the requests behind them."""

from flask import Blueprint, Response, abort, g, render_template, request
from flask.typing import ResponseReturnValue

from rules.said import joined, say, told_by
from web.access import SESSION_S, Access, Device, Invitation, Joined, NotLetIn, Role, TooManyGuesses
from web.context import here, json_answer
from web.forms import Form, Refused, read_object
from web.guard import access_here, cookie_name, device_here, role_here
from web.qr import qr_path

bp = Blueprint("door", __name__)

_MINUTES = {10, 60, 720}


@bp.get("/join")
def join_page() -> ResponseReturnValue:
    """Where a device that nobody knows says its PIN, or is brought by a QR code."""
    return render_template("join.html", needed=access_here() is not None)


@bp.post("/join")
def join() -> Response:
    """Let a device in by `secret` or by `pin`; the cookie it gets is what it is known by."""
    access = _access()
    try:
        form = Form(read_object(request.get_data()))
        secret, pin, name = form.words("secret"), form.words("pin"), form.words("name")[:40]
        form.finish()
        if bool(secret) == bool(pin):
            raise Refused(say("expected a secret or a pin"))
    except Refused as refused:
        return json_answer({"error": "refused", "words": joined(refused.reasons, "; ")}, 400)
    browser = request.headers.get("User-Agent", "")
    try:
        if secret:
            let_in = access.join_by_secret(secret, name=name, browser=browser)
        else:
            digits = "".join(char for char in pin if char.isdigit())
            address = request.remote_addr or ""
            let_in = access.join_by_pin(digits, name=name, browser=browser, address=address)
    except NotLetIn as err:
        return json_answer({"error": "not let in", "words": told_by(err)}, 403)
    except TooManyGuesses as err:
        return json_answer({"error": "slow down", "words": told_by(err)}, 429)
    return _welcome(let_in)


def _welcome(joined: Joined) -> Response:
    response = json_answer(
        {"ok": True, "role": joined.device.role, "name": joined.device.name}, 201
    )
    response.set_cookie(
        cookie_name(),
        joined.cookie,
        max_age=int(SESSION_S),
        httponly=True,
        samesite="Strict",
        secure=request.is_secure,
        path="/",
    )
    return response


@bp.post("/leave")
def leave() -> Response:
    """Forget the device that asks."""
    access, device = access_here(), device_here()
    if access is not None and device is not None:
        access.revoke(device.id)
    g.device = g.role = None
    response = json_answer({"ok": True})
    response.delete_cookie(cookie_name(), path="/", httponly=True, samesite="Strict")
    return response


@bp.get("/authority.crt")
def authority() -> Response:
    """The certificate by which devices trust this Sightline, to be installed on them."""
    path = here().authority
    if path is None:
        abort(404, say("This Sightline has no certificate of its own."))
    return Response(
        path.read_bytes(),
        mimetype="application/x-x509-ca-cert",
        headers={"Content-Disposition": 'attachment; filename="sightline-authority.crt"'},
    )


@bp.get("/me")
def me() -> Response:
    """Who asks: the device's name and role, null where it has not joined."""
    device = device_here()
    return json_answer(
        {"role": role_here(), "name": "" if device is None else device.name,
         "joining": access_here() is not None}
    )  # fmt: skip


@bp.get("/devices")
def devices_page() -> str:
    """Who is here and who may come."""
    return render_template(
        "devices.html", needed=access_here() is not None, authority=here().authority is not None
    )


@bp.get("/devices.json")
def devices() -> Response:
    """All devices that have joined, and the open invitations."""
    access = access_here()
    mine = device_here()
    return json_answer(
        {
            "joining": access is not None,
            "devices": [] if access is None else [_device(d, mine) for d in access.devices()],
            "invitations": []
            if access is None
            else [_invitation(each) for each in access.invitations()],
        }
    )


@bp.post("/invitations")
def invite() -> Response:
    """Open the door for `role` for so many `minutes`; the PIN and QR codes are told once, here."""
    access = _access()
    try:
        form = Form(read_object(request.get_data()))
        role, minutes = form.text("role"), form.number("minutes")
        form.finish()
        if role not in set(Role):
            raise Refused(say("role: expected one of {known}", known=", ".join(Role)))
        if minutes not in _MINUTES:
            known = ", ".join(map(str, sorted(_MINUTES)))
            raise Refused(say("minutes: expected one of {known}", known=known))
        invited = access.invite(Role(role), minutes=minutes)
    except Refused as refused:
        return json_answer({"error": "refused", "words": joined(refused.reasons, "; ")}, 400)
    except ValueError as err:
        return json_answer({"error": "refused", "words": told_by(err)}, 400)
    links = []
    for base in _bases():
        url = f"{base}join#{invited.secret}"
        width, path = qr_path(url)
        links.append({"url": url, "base": base, "width": width, "path": path})
    return json_answer(
        {"ok": True, **_invitation(invited.invitation), "pin": invited.pin, "links": links}, 201
    )


@bp.post("/invitations/<id>/withdraw")
def withdraw(id: str) -> Response:
    """Close an invitation."""
    return _found(_access().withdraw(id), say("This invitation is closed already."))


@bp.post("/devices/<id>/revoke")
def revoke(id: str) -> Response:
    """Shut a device out; its pages notice within a second."""
    return _found(_access().revoke(id), say("This device has left already."))


@bp.post("/devices/<id>/role")
def give_role(id: str) -> Response:
    """Give a device another role."""
    try:
        form = Form(read_object(request.get_data()))
        role = form.text("role")
        form.finish()
        if role not in set(Role):
            raise Refused(say("role: expected one of {known}", known=", ".join(Role)))
    except Refused as refused:
        return json_answer({"error": "refused", "words": joined(refused.reasons, "; ")}, 400)
    return _found(_access().give_role(id, Role(role)), say("This device has left already."))


def _access() -> Access:
    access = access_here()
    if access is None:
        abort(
            409,
            say("Only this computer is served. Start Sightline with --lan to let devices join."),
        )
    return access


def _bases() -> tuple[str, ...]:
    """Return the addresses under which other devices reach us, the likeliest first."""
    bases = here().bases
    return bases or (request.host_url,)


def _found(found: bool, otherwise: str) -> Response:
    if found:
        return json_answer({"ok": True})
    return json_answer({"error": "gone", "words": otherwise}, 404)


def _device(device: Device, mine: Device | None) -> dict[str, object]:
    return {
        "id": device.id,
        "name": device.name,
        "role": device.role,
        "browser": device.browser,
        "joined_s": round(device.joined_s),
        "seen_s": round(device.seen_s),
        "wrote_s": round(device.wrote_s),
        "until_s": round(device.until_s),
        "mine": mine is not None and mine.id == device.id,
    }


def _invitation(invitation: Invitation) -> dict[str, object]:
    return {
        "id": invitation.id,
        "role": invitation.role,
        "until_s": round(invitation.until_s),
    }
