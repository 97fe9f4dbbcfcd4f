# SPDX-License-Identifier: Apache-2.0
# The commands. What each does stands in ci/, in scripts that can be run by hand as well.
PREFIX ?= /usr/local
export PREFIX DESTDIR

all: ## install what building needs; build build/bin and build/lib
	@ci/build.sh

verify: ## the conformance suite on every kernel: reports/out/conformance.{html,json,xml}
	@ci/verify.sh

check: ## all tests that a change must pass, 15 minutes
	@ci/check.sh

certify: ## check and the full conformance suite, hours
	@ci/certify.sh

bench: ## time every kernel: reports/out/bench.json
	@ci/bench.sh

report: ## one page of the results there are: reports/out/report.html
	@ci/report.sh

nightly: ## verify, bench and report into reports/out/nightly/DATE
	@ci/nightly.sh

coverage: ## line coverage of impl and ref by their tests: reports/out/coverage
	@ci/coverage.sh

install: ## DESTDIR= PREFIX=/usr/local
	@ci/install.sh

clean: ## remove what was built; reports stay
	rm -rf build build-clang build-asan build-tsan build-arm64 build-coverage

help: ## this
	@sed -n 's/^\([a-z]*\):.* ## /make \1\t/p' Makefile | expand -t 16

.PHONY: all verify check certify bench report nightly coverage install clean help
