# The duration of loading a MARC file (load.sh), unless another claim has loaded it already. Sourced by
# perf/bench.sh.
marc_library
