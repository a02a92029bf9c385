#!/usr/bin/env bash
# Installs into .venv what a requirements file names. Usage: deploy/setup.sh requirements.txt
# Uses uv where it can be had (a tenth of pip's time), else pip. Does nothing when the file was installed already.
set -euo pipefail
cd "$(dirname "$0")/.."
requirements=$1
venv=.venv
stamp=$venv/.installed-$(basename "$requirements")
uv_version=0.13.9

digest=$(cat requirements*.txt | sha256sum | cut -d' ' -f1)
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$digest" ]; then exit 0; fi

find_python() {
    if [ -n "${PYTHON:-}" ] && ! "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        echo "PYTHON=$PYTHON is no Python 3.11 or newer." >&2
        return 1
    fi
    for name in ${PYTHON:-} python3 python3.13 python3.12 python3.11; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then command -v "$name"; return; fi
    done
    echo "Python 3.11 or newer is needed and was not found; set PYTHON=/path/to/python3." >&2
    return 1
}

uv=$(command -v uv || true)
if ! $venv/bin/python -c "" 2>/dev/null; then
    python=$(find_python)
    echo "Making $venv with $python"
    if [ -n "$uv" ]; then
        "$uv" venv --quiet --python "$python" $venv
    elif ! "$python" -m venv $venv; then
        rm -rf $venv
        echo "This Python cannot make virtual environments. Install its venv module (Debian, Ubuntu: python3-venv) or uv." >&2
        exit 1
    fi
fi

if [ -z "$uv" ] && [ -x $venv/bin/pip ]; then
    [ -x $venv/bin/uv ] || $venv/bin/pip install --quiet --disable-pip-version-check "uv==$uv_version" || true
    [ -x $venv/bin/uv ] && uv=$venv/bin/uv
fi

echo "Installing $requirements"
# The system's certificates, as pip uses them: behind a company's proxy uv's own would not do.
export UV_SYSTEM_CERTS=1 UV_NATIVE_TLS=1
install_with_uv() { [ -n "$uv" ] && "$uv" pip install --quiet --python $venv/bin/python --compile-bytecode -r "$requirements"; }
install_with_pip() { [ -x $venv/bin/pip ] && $venv/bin/pip install --quiet --disable-pip-version-check -r "$requirements"; }
install_with_uv || install_with_pip || {
    echo "The packages of $requirements could not be installed; the lines above say why. Then run this again." >&2
    exit 1
}
echo "$digest" > "$stamp"
