"""A club's own certificates: a small authority, and what proves this computer to browsers.

The authority may only speak for addresses of private networks and for the names it was made for
(RFC 5280, name constraints): whoever installs it on a tablet trusts it with nothing else. Its key
and the server's are readable by this user only.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from sightline.complaint import Complaint

AUTHORITY_DAYS = 3650
SERVER_DAYS = 397
"""Browsers refuse longer ones."""
RENEW_DAYS = 30
PRIVATE = (
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "127.0.0.0/8",
    "fc00::/7",
    "fe80::/10",
    "::1/128",
)
_SLACK = timedelta(hours=1)
"""Clocks of tablets differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """The files that a TLS server needs; `authority` is what others install to trust it."""

    chain: Path
    key: Path
    authority: Path | None = None


def given_certificate(chain: Path, key: Path) -> Certificate:
    """Return a certificate that was got elsewhere. Complaint names what is wrong with it."""
    for path in (chain, key):
        if not path.is_file():
            raise Complaint(f"{path}: there is no such file; give a certificate and its key (PEM)")
    return Certificate(chain=chain, key=key)


def club_certificate(
    folder: Path, names: Iterable[str], now: datetime | None = None
) -> Certificate:
    """Return the club's certificate for this computer's `names` and addresses, kept in `folder`.

    The authority is made once; the server's certificate anew where a name is missing or it ends
    within 30 days. Complaint where the authority may not speak for one of the names.
    """
    now = now or datetime.now(UTC)
    wanted = tuple(sorted(set(names)))
    made = Certificate(
        chain=folder / "server.crt", key=folder / "server.key", authority=folder / "authority.crt"
    )
    authority_key_file = folder / "authority.key"
    assert made.authority is not None
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not (made.authority.exists() and authority_key_file.exists()):
        _make_authority(made.authority, authority_key_file, wanted, now)
    authority, authority_key = _read(made.authority, authority_key_file)
    if authority.not_valid_after_utc - now < timedelta(days=RENEW_DAYS):
        raise Complaint(
            f"{made.authority}: the club's authority ends on "
            f"{authority.not_valid_after_utc:%Y-%m-%d}; delete the folder {folder} to make a new "
            "one, and install that on the tablets"
        )
    for name in wanted:
        if not _may_speak_for(authority, name):
            raise Complaint(
                f"{made.authority}: the club's authority was not made for {name!r}; delete the "
                f"folder {folder} to make a new one, and install that on the tablets"
            )
    if not _still_good(made, authority, wanted, now):
        _make_server(made, authority, authority_key, wanted, now)
    return made


def fingerprint(path: Path) -> str:
    """Return a certificate's SHA-256 as people compare it: AB:CD:…"""
    found = x509.load_pem_x509_certificate(path.read_bytes()).fingerprint(hashes.SHA256())
    return found.hex(":").upper()


def _make_authority(path: Path, key_file: Path, names: tuple[str, ...], now: datetime) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    owner = next((n for n in names if not _is_address(n) and n != "localhost"), "this club")
    name = x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Sightline"),
            x509.NameAttribute(NameOID.COMMON_NAME, f"Sightline, tables of {owner}"[:64]),
        ]
    )
    domains = sorted({"local", "localhost", *(n for n in names if not _is_address(n))})
    outside = [ip_network(n) for n in names if _is_address(n) and not _is_private(n)]
    allowed = x509.NameConstraints(
        permitted_subtrees=[
            *(x509.DNSName(domain) for domain in domains),
            *(x509.IPAddress(ip_network(private)) for private in PRIVATE),
            *(x509.IPAddress(network) for network in outside),
        ],
        excluded_subtrees=None,
    )
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _SLACK)
        .not_valid_after(now + timedelta(days=AUTHORITY_DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(allowed, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _write_key(key_file, key)
    path.write_bytes(built.public_bytes(serialization.Encoding.PEM))


def _make_server(
    made: Certificate,
    authority: x509.Certificate,
    authority_key: ec.EllipticCurvePrivateKey,
    names: tuple[str, ...],
    now: datetime,
) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    built = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Sightline")]))
        .issuer_name(authority.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _SLACK)
        .not_valid_after(
            min(now + timedelta(days=SERVER_DAYS) - _SLACK, authority.not_valid_after_utc)
        )
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([_general(n) for n in names]), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()),
            critical=False,
        )
        .sign(authority_key, hashes.SHA256())
    )
    _write_key(made.key, key)
    made.chain.write_bytes(built.public_bytes(serialization.Encoding.PEM))


def _still_good(
    made: Certificate, authority: x509.Certificate, names: tuple[str, ...], now: datetime
) -> bool:
    if not (made.chain.exists() and made.key.exists()):
        return False
    server, key = _read(made.chain, made.key)
    alternative = server.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    known = {str(name) for name in alternative.get_values_for_type(x509.DNSName)}
    known |= {str(address) for address in alternative.get_values_for_type(x509.IPAddress)}
    return (
        server.issuer == authority.subject
        and server.public_key() == key.public_key()
        and server.not_valid_after_utc - now > timedelta(days=RENEW_DAYS)
        and known >= set(map(_plain, names))
    )


def _read(chain: Path, key_file: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    try:
        certificate = x509.load_pem_x509_certificate(chain.read_bytes())
        key = serialization.load_pem_private_key(key_file.read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as err:
        raise Complaint(
            f"{chain}: this certificate or its key cannot be read ({err}); delete the folder "
            f"{chain.parent} to make new ones"
        ) from err
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise Complaint(f"{key_file}: this is no key that Sightline made; delete {chain.parent}")
    return certificate, key


def _may_speak_for(authority: x509.Certificate, name: str) -> bool:
    allowed = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    trees = allowed.permitted_subtrees or ()
    if _is_address(name):
        address = ip_address(name)
        networks = (tree.value for tree in trees if isinstance(tree, x509.IPAddress))
        return any(
            address in network
            for network in networks
            if isinstance(network, IPv4Network | IPv6Network)
        )
    domains = (tree.value for tree in trees if isinstance(tree, x509.DNSName))
    return any(f".{name}".endswith(f".{domain}") for domain in domains)


def _write_key(path: Path, key: ec.EllipticCurvePrivateKey) -> None:
    """Write a key that nobody else can read, not even for a moment."""
    written = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(written)


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        key_cert_sign=signs,
        crl_sign=signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _general(name: str) -> x509.GeneralName:
    return x509.IPAddress(ip_address(name)) if _is_address(name) else x509.DNSName(name)


def _plain(name: str) -> str:
    return str(ip_address(name)) if _is_address(name) else name


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_private(name: str) -> bool:
    address = ip_address(name)
    return any(address in network for network in map(ip_network, PRIVATE))
