#!/usr/bin/env bash
# Builds, runs and tests the staff client (ui/). `make ui`, `ui-dev` and `test-ui` call it; `make serve`
# and `make build` do through `make ui`.
#
#   OCTAVO_UI=auto     the default: builds where Node can be had, else says so in one line and goes on
#   OCTAVO_UI=require  fails without Node (CI, packages)
#   OCTAVO_UI=off      does nothing
set -euo pipefail

readonly MODE=${OCTAVO_UI:-auto}
readonly NODE_LEAST=20.19
if ((EUID == 0)); then
    readonly CACHE=/var/cache/octavo/node
else
    readonly CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/octavo/node
fi
cd "$(dirname "$0")/.."

say() { printf 'ui: %s\n' "$*" >&2; }

# Ends the script: an error where the client is required, a remark elsewhere.
without() {
    say "$*"
    if [[ $MODE == require ]]; then exit 1; fi
    say "going on without the staff client; /staff/ will say so"
    exit 0
}

is_usable() {
    local version
    version=$("$1" --version 2>/dev/null) || return 1
    [[ $(printf '%s\nv%s\n' "$version" "$NODE_LEAST" | sort -V | head -n 1) == "v$NODE_LEAST" ]]
}

find_node() {
    if is_usable node && command -v npm >/dev/null; then return 0; fi
    if is_usable "$CACHE/bin/node"; then
        PATH=$CACHE/bin:$PATH
        return 0
    fi
    scripts/setup.sh ui || return 1
    PATH=$CACHE/bin:$PATH
    is_usable node
}

# What the build depends on.
fingerprint() {
    { git ls-files -z --cached --others --exclude-standard ui 2>/dev/null || find ui -type f -not -path '*/node_modules/*' -not -path '*/dist/*' -print0; } |
        sort -z | xargs -0 cat -- 2>/dev/null | sha256sum | cut -d ' ' -f 1
}

# Installs when the lock file has changed; `build` leaves out what only tests need.
install() {
    local wanted stamp=ui/node_modules/.octavo
    wanted="$(sha256sum <ui/package-lock.json) $1"
    if [[ -f $stamp ]]; then
        [[ $(<"$stamp") == "$wanted" || $(<"$stamp") == "${wanted% *} all" ]] && return 0
    fi
    local options=(--no-audit --no-fund)
    [[ $1 == all ]] || options+=(--omit=dev)
    say "installing the client's packages"
    (cd ui && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci "${options[@]}" >&2) || return 1
    printf '%s' "$wanted" >"$stamp"
}

build() {
    [[ $MODE == off ]] && exit 0
    local now stamp=ui/dist/.stamp
    now=$(fingerprint)
    if [[ -f $stamp && $(<"$stamp") == "$now" ]]; then return 0; fi
    find_node || without "no Node $NODE_LEAST or later, and none could be fetched"
    install build || without "the client's packages could not be installed (no network?)"
    (cd ui && npm run --silent build >&2) || { say "the staff client does not build"; exit 1; }
    printf '%s' "$now" >"$stamp"
}

dev() {
    find_node && install all && cd ui && exec npx vite
}

run_tests() {
    find_node || without "no Node $NODE_LEAST or later, and none could be fetched"
    install all || without "the client's packages could not be installed (no network?)"
    cd ui
    npm run --silent check
    npm test --silent
    npm run --silent build
    npm run --silent budget
    ../scripts/setup.sh chromium || without "no Chromium, and none could be installed"
    # The program that the browser tests start has to hold the client that was just built.
    [[ -n ${OCTAVO_BIN:-}${OCTAVO_E2E_URL:-} ]] || cargo build --package octavo-server
    npx playwright test "$@"
}

case ${1:-build} in
build) build ;;
dev) dev ;;
test) shift && run_tests "$@" ;;
*) say "usage: ui.sh build|dev|test" && exit 2 ;;
esac
