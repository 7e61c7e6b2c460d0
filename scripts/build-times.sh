#!/usr/bin/env bash
# Measures builds on this machine: a table of wall time and processor time for each kind of build with an
# aim in docs/development.md. Takes about half an hour on two idle cores; other work makes it longer.
#
#   scripts/build-times.sh               all of it
#   scripts/build-times.sh serve area    only these of: serve area octavo ci
#
# Works in a clone and target directories of its own, which it deletes; its changes are comments at the
# ends of files of that clone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly AREA=${AREA:-calendar}
wanted=${*:-serve area octavo ci}
work=$(mktemp -d "${TMPDIR:-/var/tmp}/octavo-build-times-XXXXXX")
trap 'rm -rf "$work"' EXIT
unset CARGO_TARGET_DIR
git clone --quiet --no-hardlinks . "$work/octavo"
cd "$work/octavo"
scripts/setup.sh

printf '%-58s %9s %11s\n' "what" "wall" "processor"
measure() { # what, command …
    local what=$1 log=$work/log
    shift
    local TIMEFORMAT='%R %U %S' times
    if ! times=$({ time "$@" >"$log" 2>&1; } 2>&1); then
        tail -n 30 "$log" >&2
        exit 1
    fi
    awk -v what="$what" '{ printf "%-58s %5d:%02d  %7d:%02d\n", what, $1 / 60, $1 % 60, ($2 + $3) / 60, ($2 + $3) % 60 }' <<<"$times"
}
touched() { printf '\n// Touched to measure a build.\n' >>"$1"; }
is_wanted() { [[ " $wanted " == *" $1 "* ]]; }

# Dependencies are fetched before measuring, so that the network does not count.
cargo fetch --quiet --locked

if is_wanted serve || is_wanted octavo; then
    measure "make serve: octavo from nothing (release)" cargo build --release --package octavo-server
fi
if is_wanted octavo; then
    touched "areas/$AREA/src/lib.rs"
    measure "octavo after one line of areas/$AREA (release)" cargo build --release --package octavo-server
fi
rm -rf target
if is_wanted area; then
    measure "all tests from nothing, not run" cargo test --workspace --lib --bins --tests --no-run
    touched "areas/$AREA/src/lib.rs"
    measure "tests of areas/$AREA after one line of it" make test-area AREA="$AREA"
    rm -rf target
fi
if is_wanted ci; then
    measure ".ci/run from nothing" .ci/run
fi
