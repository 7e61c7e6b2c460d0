#!/usr/bin/env bash
# The memory that a server keeps after odd requests: resident after each kind of them, and a minute
# later. Usage: perf/memory/odd.sh [PROGRAM] [ROUNDS]; fails above MEMORY_MB_MAX (150 without it).
set -euo pipefail
octavo=${1:-target/release/octavo}
rounds=${2:-2000}
limit=${MEMORY_MB_MAX:-150}
rest=${REST_SECONDS:-60}
work=$(mktemp -d)
chmod o+x "$work"
port=${PORT:-19131}
url=http://127.0.0.1:$port
"$octavo" serve --demo --listen "127.0.0.1:$port" --data-dir "$work/data" \
  >"$work/out" 2>"$work/log" &
server=$!
trap 'kill $server 2>/dev/null || true; wait $server 2>/dev/null || true; rm -rf "$work"' EXIT
until curl -sf "$url/admin/health" >/dev/null; do
  kill -0 $server || { cat "$work/log"; exit 1; }
  sleep 0.2
done
token=$(curl -s "$url/authn/login" -H 'X-Okapi-Tenant: diku' -H 'Content-Type: application/json' \
  -d '{"username": "diku_admin", "password": "admin"}' -o /dev/null -D - | tr -d '\r' |
  awk 'tolower($1) == "x-okapi-token:" { print $2 }')

resident() { awk '/^VmRSS/ { print int($2 / 1024) }' "/proc/$server/status"; }
resident_after() { printf '%-44s %5d MB\n' "$1" "$(resident)"; }
# Sends the URLs of standard input, each behind the other arguments, eight at once.
ask() {
  awk '{ print "url = \"" $0 "\""; print "output = /dev/null" }' >"$work/urls"
  curl -s --no-progress-meter -Z --parallel-max 8 -H 'X-Okapi-Tenant: diku' -H "X-Okapi-Token: $token" "$@" \
    -K "$work/urls" || true
}
resident_after 'fresh'
awk -v n="$rounds" -v u="$url" 'BEGIN { for (i = 0; i < n; i++) print u "/users?query=username==a" i "&limit=" i % 50 }' | ask
resident_after "$rounds short queries, each another one"
awk -v n="$rounds" -v u="$url" 'BEGIN { for (i = 0; i < n; i++) {
  split("username personal.lastName personal.firstName barcode externalSystemId", f, " ")
  q = "username==x" i; for (k = 0; k < 24; k++) q = q "%20or%20" f[1 + int(i / 2 ^ (k % 12)) % 2 + k % 4] "==" k; print u "/users?query=" q } }' | ask
resident_after "$rounds long queries of many forms"
awk -v n="$rounds" -v u="$url" 'BEGIN { for (i = 0; i < n; i++) {
  split("barcode hrid holdingsRecordId materialTypeId permanentLoanTypeId effectiveLocationId", f, " ")
  q = "barcode==x" i; for (k = 0; k < 120; k++) q = q "%20or%20" f[1 + int(i / 2 ^ (k % 12)) % 2 + k % 5] "==" k; print u "/item-storage/items?query=" q } }' | ask
resident_after "$rounds very long queries"
head -c 9000000 /dev/zero | tr '\0' x | sed 's/.*/{"name": "&", "source": "local"}/' >"$work/large"
for _ in $(seq 40); do echo "$url/material-types"; done | ask -X POST -H 'Content-Type: application/json' --data-binary "@$work/large"
resident_after '40 bodies of 9 MB'
for _ in $(seq 200); do echo "$url/inventory/instances?limit=100000"; echo "$url/item-storage/items?limit=100000"; done | ask
resident_after '400 long lists'
awk -v n="$rounds" -v u="$url" 'BEGIN { for (i = 0; i < n; i++) print u "/nowhere/" i "/%ff?x=" i }' | ask
resident_after "$rounds paths that lead nowhere"
awk -v n="$rounds" -v u="$url" 'BEGIN { for (i = 0; i < n; i++) print u "/users" }' | ask -H 'X-Okapi-Tenant: nobody'
resident_after "$rounds requests of no tenant"
sleep "$rest"
resident_after "after $rest s at rest"
now=$(resident)
[ "$now" -le "$limit" ] || { echo "$now MB are kept; at most $limit MB are expected" >&2; exit 1; }
