# The ways into the project. `make` alone lists them.

TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)
OCTAVO := $(TARGET_DIR)/release/octavo
PREFIX ?= /usr/local
# What `make serve` adds to the command, for instance ARGS="--listen 127.0.0.1:9131".
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help setup build serve test bench lint format-check clippy deny compatibility fmt install

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## get what is missing: PostgreSQL, a C compiler
	@scripts/setup.sh

build: setup
	@cargo build --release --package octavo-server

serve: build ## build and run octavo with its demonstration library (ARGS="..." is passed on)
	@exec $(OCTAVO) serve --demo $(ARGS)

test: setup ## run all tests
	cargo test --workspace

bench: build ## build and measure
	@scripts/setup.sh bench
	@exec perf/bench.sh $(ARGS)

lint: format-check clippy deny ## check formatting, lints, licences and dependencies

format-check:
	cargo fmt --all --check

clippy:
	cargo clippy --workspace --all-targets -- -D warnings

deny:
	@scripts/cargo-deny.sh

compatibility: setup ## write docs/compatibility/routes.md from what is declared
	OCTAVO_WRITE=1 cargo test --package octavo-server --test it compatibility::

fmt: ## format the code
	cargo fmt --all

install: build ## install the program to PREFIX/bin (PREFIX=/usr/local)
	install -D -m 0755 $(OCTAVO) $(DESTDIR)$(PREFIX)/bin/octavo
