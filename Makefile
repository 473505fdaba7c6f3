# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0
#
#   make run     builds, simulates a car whose tyres slip and says where its page is
#   make test    builds and runs all tests
#   make build   leaves the program at build/vinculum
#   make bench   measures
#   make python  leaves the Python module in build/python (use: PYTHONPATH=build/python) and a wheel beside it
# clang compiles where there is one, g++ elsewhere; `make clean`, then make test PRESET=release-gcc takes g++. Presets: CMakePresets.json.
JOBS ?= $(shell nproc)
PRESET ?= $$(scripts/choose-preset)

.PHONY: run test build python bench sanitize format clean

run: build
	build/vinculum simulate examples/car-with-trailer/model.yaml --until 5 --contacts frictional --output out/car-with-trailer
	@echo
	@echo "open out/car-with-trailer/report.html in a browser"

build:
	@scripts/install-packages build
	@cmake --preset $(PRESET) -DVINCULUM_TESTS=OFF -DVINCULUM_BENCH=OFF >build-release.log 2>&1 || { cat build-release.log; exit 1; }
	@rm -f build-release.log
	cmake --build build -j $(JOBS)

python:
	@scripts/install-packages python
	@cmake --preset $(PRESET) -DVINCULUM_PYTHON=ON -DVINCULUM_TESTS=OFF -DVINCULUM_BENCH=OFF >build-release.log 2>&1 || { cat build-release.log; exit 1; }
	@rm -f build-release.log
	cmake --build build -j $(JOBS) --target vinculum_wheel

test:
	@scripts/install-packages test
	cmake --preset $(PRESET) -DVINCULUM_PYTHON=ON -DVINCULUM_TESTS=ON -DVINCULUM_BENCH=OFF
	cmake --build build -j $(JOBS)
	ctest --test-dir build --output-on-failure -j $(JOBS)

# All tests under the address and undefined-behaviour sanitizers.
sanitize:
	@scripts/install-packages test
	cmake --preset sanitize -DVINCULUM_PYTHON=ON
	cmake --build build-sanitize -j $(JOBS)
	ctest --test-dir build-sanitize --output-on-failure -j $(JOBS)

bench:
	@scripts/install-packages bench
	cmake --preset $(PRESET) -DVINCULUM_TESTS=OFF -DVINCULUM_BENCH=ON
	cmake --build build -j $(JOBS)
	build/bench_trees

# Are the files that changed laid out as clang-format does it?
format:
	scripts/check-format

clean:
	rm -rf build build-debug build-sanitize build-python out
