"""The club's own certificates: made once, renewed in time, trusted with nothing else."""

import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509

from sightline.complaint import Complaint
from sightline.serving.certificates import club_certificate, fingerprint, given_certificate
from sightline.serving.tls import context_of

NAMES = ("192.168.1.20", "localhost", "127.0.0.1", "table-3")
NOW = datetime(2026, 11, 21, tzinfo=UTC)


def read(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def test_a_server_speaks_with_it_and_only_this_user_reads_the_keys(tmp_path: Path) -> None:
    made = club_certificate(tmp_path / "tls", NAMES)
    assert isinstance(context_of(made), ssl.SSLContext)
    modes = {
        path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "tls").glob("*.key")
    }
    assert modes == {"authority.key": 0o600, "server.key": 0o600}


def test_it_names_all_names_and_is_signed_by_the_authority(tmp_path: Path) -> None:
    made = club_certificate(tmp_path, NAMES)
    assert made.authority is not None
    server, authority = read(made.chain), read(made.authority)
    server.verify_directly_issued_by(authority)
    named = server.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert set(named.get_values_for_type(x509.DNSName)) == {"localhost", "table-3"}
    addresses = {str(address) for address in named.get_values_for_type(x509.IPAddress)}
    assert addresses == {"192.168.1.20", "127.0.0.1"}


def test_the_same_is_used_until_a_name_is_missing_or_it_ends_soon(tmp_path: Path) -> None:
    first = club_certificate(tmp_path, NAMES, NOW)
    assert first.authority is not None
    prints = fingerprint(first.chain), fingerprint(first.authority)
    club_certificate(tmp_path, NAMES[1:], NOW + timedelta(days=100))
    assert (fingerprint(first.chain), fingerprint(first.authority)) == prints
    club_certificate(tmp_path, (*NAMES, "192.168.1.21"), NOW)
    more = fingerprint(first.chain)
    assert more != prints[0]
    club_certificate(tmp_path, NAMES, NOW + timedelta(days=380))
    assert fingerprint(first.chain) != more
    assert fingerprint(first.authority) == prints[1]


@pytest.mark.parametrize("name", ["example.org", "8.8.8.8", "2001:4860::1", "xtable-3"])
def test_the_authority_speaks_for_nothing_but_what_it_was_made_for(
    tmp_path: Path, name: str
) -> None:
    club_certificate(tmp_path, NAMES)
    with pytest.raises(Complaint, match="was not made for"):
        club_certificate(tmp_path, (*NAMES, name))


@pytest.mark.parametrize("name", ["10.1.2.3", "fd00::5", "other.local", "a.table-3"])
def test_private_addresses_and_names_below_its_own_are_within_it(tmp_path: Path, name: str) -> None:
    club_certificate(tmp_path, NAMES)
    made = club_certificate(tmp_path, (*NAMES, name))
    named = read(made.chain).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert name in str(named.get_values_for_type(x509.DNSName)) + str(
        [str(address) for address in named.get_values_for_type(x509.IPAddress)]
    )


def test_damaged_files_and_an_authority_that_ends_are_said_with_the_remedy(tmp_path: Path) -> None:
    made = club_certificate(tmp_path, NAMES, NOW)
    with pytest.raises(Complaint, match="make a new"):
        club_certificate(tmp_path, NAMES, NOW + timedelta(days=3640))
    (tmp_path / "authority.key").write_text("scribble")
    with pytest.raises(Complaint, match="cannot be read"):
        club_certificate(tmp_path, NAMES, NOW)
    with pytest.raises(Complaint, match="no such file"):
        given_certificate(made.chain, tmp_path / "nowhere.key")
    with pytest.raises(Complaint, match="no certificate with its key"):
        context_of(given_certificate(made.chain, tmp_path / "authority.key"))
