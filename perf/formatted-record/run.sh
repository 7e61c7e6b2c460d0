# One record's MARC by the id of its instance, among all that load-marc has loaded. Sourced by perf/bench.sh.
marc_library
measure formatted-record
