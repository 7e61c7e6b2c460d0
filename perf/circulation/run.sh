# FOLIO's check-in/check-out workload, 20 virtual users without pauses, and the memory after it.
# Sourced by perf/bench.sh.
circulation() {
  local part average aim reached resident
  step "circulation: check-in-check-out, 20 virtual users, no think time"
  "$octavo" workload run check-in-check-out --url "$url" --tenant bench --user bench --password bench \
    --virtual-users 20 --ramp-up 2s --duration "$((seconds * 2))s" --think-time none \
    --json "$work/run.json" >/dev/null 2>"$work/run.log" || tail -n 20 "$work/run.log" >&2
  for part in "Check-In Controller" "Check-Out Controller" "POST_circulation/check-in-by-barcode" "POST_circulation/check-out-by-barcode"; do
    average=$(number average_ms "$part" "$work/run.json")
    case $part in
      "Check-Out Controller") aim="average < 60 ms" reached=$(verdict "$average < 60") ;;
      "Check-In Controller") aim="average < 40 ms" reached=$(verdict "$average < 40") ;;
      *) aim="" reached="" ;;
    esac
    result "$part: $(calculate "$average") ms" "" "$(calculate "$(number samples "$part" "$work/run.json") / ($seconds * 2)" %.0f)" "" "" \
      "$(calculate "$(number p95_ms "$part" "$work/run.json")")" "$aim" "$reached"
  done
  resident=$(calculate "$(server_kb) / 1024" %.0f)
  result "resident memory of octavo: $resident MB" "" "" "" "" "" "< 100 MB" "$(verdict "$resident < 100")"
}
circulation
