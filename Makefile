# Every target is one script or one swift command; `make setup` fetches what they need.
PREFIX ?= /usr/local
DESTDIR ?=
# Builds a benchmark as scripts/build does the programs.
BENCHMARK = TAKEUP_BENCHMARKS=1 swift build -c release --static-swift-stdlib --scratch-path .build/benchmarks --product

.DEFAULT_GOAL := build
.PHONY: build setup demo test check lint sanitize bench bench-queue bench-fetch bench-serve bench-fleet check-api check-players corpus matrix chaos chaos-fleet soak fuzz format docs install uninstall deb packaging-check clean

build: setup
	scripts/build

# Installs what this machine lacks (Debian and Ubuntu); does nothing when all is there.
setup:
	@scripts/setup

# Runs samples/ as a batch: what is decided and why, what came out, and that the second run is all cached.
demo: setup
	scripts/demo

test: setup
	scripts/run-tests
	scripts/chaos-short
	scripts/matrix --short --takeup .build/debug/takeup
	scripts/check-joins --short --takeup .build/debug/takeup

# What every push must pass: lint, sizes, arrows, tests in debug and in release.
check: lint test
	scripts/run-tests -c release

lint: setup
	scripts/lint

# The tests under Address Sanitizer (leaks too), then under Thread Sanitizer.
sanitize: setup
	scripts/sanitize

# SOURCE=video, ONLY=case, RUNS=5; see docs/BENCHMARKS.md.
bench: build
	scripts/bench $(if $(SOURCE),--source "$(SOURCE)") $(if $(ONLY),--only $(ONLY)) $(if $(RUNS),--runs $(RUNS))
ifndef ONLY
	$(MAKE) bench-queue
	$(MAKE) bench-fetch
	$(MAKE) bench-serve
	$(MAKE) bench-fleet
endif

# The queue: a batch of short clips beside a shell loop, its rates, the cache at 100,000 entries, a worker's memory.
bench-queue: build
	for name in QueueBenchmark CacheBenchmark; do $(BENCHMARK) $$name || exit 1; done
	scripts/bench-queue --queue .build/benchmarks/release/QueueBenchmark \
		$(if $(SOURCE),--source "$(SOURCE)") $(if $(RUNS),--runs $(RUNS))
	.build/benchmarks/release/QueueBenchmark
	.build/benchmarks/release/CacheBenchmark 100000 .build/release/takeup

# Addresses: an export while its source downloads, a fetch of 1 GB beside curl, a hundred readers of one source.
bench-fetch: build
	scripts/bench-fetch $(if $(SOURCE),--source "$(SOURCE)") $(if $(RUNS),--runs $(RUNS))
	$(BENCHMARK) FetchBenchmark
	.build/benchmarks/release/FetchBenchmark $(RUNS)

# The server: a cached file beside nginx, first bytes, slow readers, jobs. Needs nginx and wrk.
bench-serve: build
	scripts/bench-serve $(if $(RUNS),--runs $(RUNS))

# A fleet: claims beside a bare loop over libpq, eight workers beside two, idle workers, starts, 1,000,000 jobs.
bench-fleet: build
	$(BENCHMARK) QueueBenchmark
	scripts/bench-fleet $(if $(RUNS),--runs $(RUNS))

# A live server against its own /openapi.json (schemathesis, from PyPI), its metrics (promtool) and docs/monitoring.
check-api: build
	scripts/check-api

check-players: build
	scripts/check-players

# Real and damaged files with what must happen to each: CORPUS=folder, ../shared/corpus by default.
corpus: build
	scripts/corpus $(if $(CORPUS),--corpus "$(CORPUS)")

# Made clips of every container, codec, cut, join, rate, size and colour, whose outputs ffmpeg and numpy judge: ONLY=text.
matrix: build
	scripts/matrix $(if $(ONLY),--only "$(ONLY)")

# Hostile files under strace, a hundred cancels at random moments, a full disk; then the queue: workers killed and
# stopped at random and at every named point, poisoned jobs, bad disks and databases, signals; then sources that are
# killed, changed, damaged and out of room while they come; then the server: mutated requests, kills, slow clients, full
# disks, a stopped database; then watched folders, which needs root for mounts: without, what could be tried is tried,
# and it ends with 77.
chaos: build
	scripts/hostile
	scripts/cancel-storm
	scripts/full-disk
	scripts/chaos-kill
	scripts/chaos-kill --stop --jobs 200
	scripts/chaos-kill --postgres --jobs 200
	scripts/chaos-failpoints
	scripts/chaos-failpoints --postgres --repeat 2
	scripts/chaos-failpoints --postgres --bucket --how kill
	scripts/chaos-fleet --jobs 100
	scripts/chaos-poison
	scripts/chaos-disk
	scripts/chaos-signals
	scripts/chaos-fetch
	scripts/chaos-serve
	scripts/chaos-watch

# Eight workers on four machines (network namespaces, so as root, and with rclone; else it ends with 77), a database, a bucket, and everything
# that happens between them: 500 jobs in twenty minutes or less.
chaos-fleet: build
	scripts/chaos-fleet

# A week of a watched folder in MINUTES=60: kills, full and missing disks, jumps of the clock, bad files. As root, with libfaketime
# (apt-get install faketime); else it ends with 77.
soak: build
	scripts/soak $(if $(MINUTES),--minutes $(MINUTES))

# Each fuzzer for SECONDS=60.
fuzz: setup
	scripts/fuzz $(if $(SECONDS),--seconds $(SECONDS))

format:
	swift format --in-place --parallel --recursive Sources Tests Fuzzers Package.swift

docs: setup
	scripts/docs

# Copies what `make` built, so that root needs no Swift: `make && sudo make install`.
# PREFIX=/usr/local by default; DESTDIR stages the same tree elsewhere for packaging.
install:
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install

uninstall:
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install --remove

# out/takeup_VERSION_ARCHITECTURE.deb, with the Swift runtime inside; built beside the release build, in .build/deb.
deb: setup
	scripts/deb

# The compose file's services without Docker, the units, the install script; then the package on a clean system.
# As root; both name what they could not look at.
packaging-check: build
	scripts/check-packaging
	scripts/check-fleet
	scripts/check-deb

clean:
	rm -rf .build out
