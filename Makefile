# The ways into the project. `make` alone lists them.

TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)
OCTAVO := $(TARGET_DIR)/release/octavo
PREFIX ?= /usr/local
# What `make serve` adds to the command, for instance ARGS="--listen 127.0.0.1:9131".
ARGS ?=

# What `make bench` builds and measures.
PROFILE ?= dist

.DEFAULT_GOAL := help
# auto builds the staff client where Node can be had; require fails without it; off leaves it out.
OCTAVO_UI ?= auto
export OCTAVO_UI

.PHONY: help setup build dist serve ui ui-dev test-ui test test-area test-long bench lint format-check clippy deny compatibility fmt install

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## get what is missing: PostgreSQL, a C compiler
	@scripts/setup.sh

build: setup ui
	@cargo build --release --package octavo-server

dist: setup ui ## build the program for packages and published figures: everything optimised, heap profiles
	@cargo build --profile dist --package octavo-server --features heap-profiles,kafka,otlp

serve: build ## build and run octavo with its demonstration library (ARGS="..." is passed on)
	@exec $(OCTAVO) serve --demo $(ARGS)

ui: ## build the staff client (ui/) where something changed; cargo then embeds it
	@scripts/ui.sh build

ui-dev: ## run the staff client with reload at http://localhost:5173/staff/ (OCTAVO_URL=http://127.0.0.1:9130)
	@scripts/ui.sh dev

test-ui: ## check types, lints, unit tests, size and, in Chromium against a real server, the staff client (ARGS=e2e/check-in.spec.ts)
	@scripts/ui.sh test $(ARGS)

# Examples are compiled by `make clippy`; two crates have examples in their documentation.
test: setup ## run all tests
	cargo test --workspace --lib --bins --tests
	cargo test --doc --package octavo-cql --package octavo-report

test-area: setup ## run the unit tests of one area and those of its routes (AREA=calendar)
	@test -d areas/$(AREA)/src || { echo "AREA names a folder of areas/: make test-area AREA=calendar" >&2; exit 2; }
	cargo test --package octavo-$(AREA)

test-long: setup ## run what takes minutes for each test: profiles of memory, 20,000 random cases
	cargo test --package octavo-server --features heap-profiles --test process -- profiles::
	OCTAVO_TEST_LONG=1 cargo test --package octavo-server --test it -- abuse::
	PROPTEST_CASES=20000 cargo test --package octavo-cql --package octavo-records --package octavo-marc \
		--package octavo-fees --package octavo-circulation --package octavo-calendar

bench: setup ## build with all optimisations and measure (PROFILE=release: what make serve builds)
	@scripts/setup.sh bench
	@cargo build --profile $(PROFILE) --package octavo-server --features heap-profiles,kafka,otlp
	@PROFILE=$(PROFILE) exec perf/bench.sh $(ARGS)

lint: format-check clippy deny ## check formatting, lints, licences and dependencies

format-check:
	cargo fmt --all --check

clippy:
	cargo clippy --workspace --all-targets -- -D warnings

deny:
	@scripts/cargo-deny.sh

compatibility: setup ## write docs/compatibility/routes.md and docs/tables.md from what is declared
	OCTAVO_WRITE=1 cargo test --package octavo-server --test it -- compatibility:: area_tables::

fmt: ## format the code
	cargo fmt --all

install: dist ## install the program to PREFIX/bin (PREFIX=/usr/local)
	install -D -m 0755 $(TARGET_DIR)/dist/octavo $(DESTDIR)$(PREFIX)/bin/octavo
