# Thin front door: every target calls cmake with a preset of CMakePresets.json.
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
PYTHON ?= /usr/bin/python3
MAKEFLAGS += --no-print-directory

.DEFAULT_GOAL := all
.PHONY: all help setup setup-build setup-python setup-tests setup-documents configure tests check test demo bench mutants fuzz faults coverage docs format \
        debug portable asan tsan install clean

all: setup-python configure ## build the library, the program (build/bin/loopcert) and the Python package
	@cmake --build --preset release -j $(JOBS)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

setup: ## install every Debian package that is missing; the other targets install their own
	@tools/setup

setup-build setup-python setup-tests setup-documents: setup-%:
	@tools/setup $(PACKAGES_$*)

PACKAGES_build := build
PACKAGES_python := build python
PACKAGES_tests := build python tests
PACKAGES_documents := build python documents

configure: setup-build build/build.ninja

build/build.ninja: CMakePresets.json
	@cmake --preset release

tests: setup-tests configure ## build everything, tests included
	@cmake --build --preset release -j $(JOBS) --target all tests

check: ## formatting, layering and text checks
	@tools/check_format
	@$(PYTHON) tools/check_layers.py
	@tools/check_text

test: tests check ## build, check and run every test
	@ctest --preset release -j $(JOBS)

demo: configure ## learn and simulate controllers for one example
	@cmake --build --preset release -j $(JOBS) --target programs
	@tools/demo

bench: setup-tests configure ## build the benchmarks and run bench/run
	@cmake --build --preset release -j $(JOBS) --target all bench
	@if [ -x bench/run ]; then bench/run; else echo "bench/run: not there, nothing to run"; fi

mutants: setup-tests ## break the library in many small ways: does a test notice? (half an hour)
	@$(PYTHON) tools/mutants --jobs $(JOBS)

fuzz: setup-tests ## hand every reader mutated files, a minute each (clang; tools/fuzz --help)
	@tools/fuzz --jobs $(JOBS)

faults: tests ## let the machine fail in many ways: is every file whole? (an hour; root, mpirun)
	@tools/faults

coverage: setup-tests ## count the lines and branches that the tests reach (clang)
	@tools/coverage --jobs $(JOBS)

docs: setup-documents ## build the documentation as a site (build/site/index.html)
	@$(PYTHON) tools/docs

format: ## rewrite the sources with clang-format
	@tools/check_format --fix

debug portable asan tsan: setup-tests
	@cmake --preset $@
	@cmake --build --preset $@ -j $(JOBS) --target all tests
	@ctest --preset $@ -j $(JOBS)

debug: ## build without optimization and run the tests
portable: ## build for any machine of this architecture and run the tests
asan: ## build with address and undefined sanitizers and run the tests
tsan: ## build with the thread sanitizer and run the tests

install: all ## install under PREFIX (default /usr/local)
	@cmake --install build --prefix "$(PREFIX)"

clean: ## remove every build folder
	@rm -rf build build-*
