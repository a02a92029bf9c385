"""Storing answers: once, privately, and recognisable only with the vault's key."""

import os
import re
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grading.vault import Vault, VaultError, default_vault_root, open_vault

CSV = b"id,target\n1,yes\n"


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return Vault(tmp_path / "vault")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize(
    ("environ", "root"),
    [
        ({"MLEB_VAULT": "/v", "XDG_DATA_HOME": "/x", "HOME": "/h"}, "/v"),
        ({"XDG_DATA_HOME": "/x", "HOME": "/h"}, "/x/mle-bench-leaderboard/vault"),
        ({"XDG_DATA_HOME": "", "HOME": "/h"}, "/h/.local/share/mle-bench-leaderboard/vault"),
    ],
)
def test_default_root(environ: dict[str, str], root: str) -> None:
    assert default_vault_root(environ) == Path(root)


def test_store_and_find(vault: Vault, tmp_path: Path) -> None:
    source = tmp_path / "answers.csv"
    source.write_bytes(CSV)
    stored = vault.store("spaceship-titanic", 1, source)
    assert (
        stored.path
        == vault.path("spaceship-titanic", 1)
        == vault.checked_path("spaceship-titanic", 1, stored.hmac)
    )
    assert stored.path.read_bytes() == CSV
    assert stored.size_bytes == len(CSV)
    assert vault.exists("spaceship-titanic", 1)
    assert vault.verify("spaceship-titanic", 1, stored.hmac)


def test_modes(vault: Vault) -> None:
    stored = vault.store("c", 1, CSV)
    assert [mode_of(path) for path in (vault.root, stored.path.parent)] == [0o700, 0o700]
    assert [mode_of(path) for path in (vault.root / "key", stored.path)] == [0o600, 0o600]
    assert sorted(os.listdir(stored.path.parent)) == ["1.csv"]


def test_storing_again_is_harmless_but_other_content_is_refused(vault: Vault) -> None:
    stored = vault.store("c", 1, CSV)
    assert vault.store("c", 1, CSV) == stored
    with pytest.raises(VaultError, match=r"with other content\. Store the new ones under the next number"):
        vault.store("c", 1, b"id,target\n1,no\n")
    assert stored.path.read_bytes() == CSV
    assert vault.store("c", 2, b"id,target\n1,no\n").hmac != stored.hmac


def test_fingerprint_needs_the_key(vault: Vault, tmp_path: Path) -> None:
    assert vault.fingerprint(CSV) == Vault(vault.root).fingerprint(CSV)
    assert vault.fingerprint(CSV) != Vault(tmp_path / "other").fingerprint(CSV)
    assert re.fullmatch("[0-9a-f]{64}", vault.fingerprint(CSV))


def test_many_find_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        found = pool.map(lambda _: Vault(tmp_path / "vault").fingerprint(CSV), range(32))
    assert len(set(found)) == 1


def test_change_is_noticed(vault: Vault) -> None:
    stored = vault.store("c", 1, CSV)
    stored.path.write_bytes(CSV + b"2,no\n")
    assert not vault.verify("c", 1, stored.hmac)
    with pytest.raises(VaultError, match="are not those on record"):
        vault.checked_path("c", 1, stored.hmac)


def test_missing(vault: Vault) -> None:
    assert not vault.exists("c", 1)
    assert not vault.verify("c", 1, "00")
    with pytest.raises(VaultError, match=r"Load them here with: manage\.py load_answers"):
        vault.path("c", 1)


@pytest.mark.parametrize("name", ["", ".", "..", "../c", "a/b", "/etc", "-a", ".a", "a\n", "a b", "é", "a\0"])
def test_bad_ids(vault: Vault, name: str) -> None:
    with pytest.raises(VaultError, match="A competition id is made of"):
        vault.store(name, 1, CSV)


@pytest.mark.parametrize("number", [0, -1])
def test_bad_numbers(vault: Vault, number: int) -> None:
    with pytest.raises(VaultError, match="numbered from 1"):
        vault.path("c", number)


@pytest.mark.parametrize("mode", [0o755, 0o710, 0o701])
def test_open_root_is_refused(tmp_path: Path, mode: int) -> None:
    tmp_path.chmod(mode)
    with pytest.raises(VaultError, match=f"Run: chmod 700 {tmp_path}"):
        Vault(tmp_path)


@pytest.mark.parametrize("root", ["checkout/vault", "checkout", ".", "link/vault"])
def test_root_must_lie_apart(tmp_path: Path, root: str) -> None:
    (tmp_path / "checkout").mkdir()
    (tmp_path / "link").symlink_to("checkout")
    with pytest.raises(VaultError, match="Set MLEB_VAULT"):
        Vault(tmp_path / root, outside=[tmp_path / "checkout"])
    assert not list((tmp_path / "checkout").iterdir())


def test_default_vault_is_never_in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLEB_VAULT", str(Path(__file__).parent / "vault"))
    with pytest.raises(VaultError, match="overlaps"):
        open_vault()
