# What loading a file of MARC takes (load.sh), unless another claim has had it loaded already. Sourced by
# perf/bench.sh.
marc_library
