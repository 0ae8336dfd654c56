# make demo   train on embedded data, print recommendations, write demo/report.html
# make test   linters, types, architecture and the whole suite, doctests included
# Both set everything up on a machine with Python 3.11+, make and a C++ compiler.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

# Local copies of named data sets; the library itself knows nothing of the place.
ifneq ($(wildcard ../shared/data),)
export LABELRANK_DATA ?= $(abspath ../shared/data)
endif

.PHONY: demo test lint types suite docs bench sanitize fix clean

demo: $(READY)
	$(BIN)/labelrank demo --out demo

test: lint types suite

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run -Werror native/*.cpp native/*.hpp
	$(BIN)/lint-imports --no-cache

types: $(READY)
	$(BIN)/mypy

suite: $(READY)
	$(BIN)/pytest -n auto

docs: $(READY)
	$(BIN)/pip install -q -c constraints.txt -e '.[docs]'
	$(BIN)/sphinx-build -W -q -b html docs docs/_build/html

bench: $(READY)
	for script in benchmarks/bench_*.py; do $(BIN)/python $$script || exit 1; done
	$(BIN)/python benchmarks/table.py

# The tests that reach the kernels, on kernels that end the run where they read or write outside an
# array or do what C++ does not define. A venv of its own sees the packages of the other, but not the
# ordinary kernels; the runtime of the sanitizers must be loaded before Python.
SANITIZED := build/sanitize
SANITIZED_TESTS ?= $(filter-out tests/cli tests/experiments tests/oracles tests/report tests/reference \
	tests/__pycache__,$(patsubst %/,%,$(wildcard tests/*/))) $(wildcard tests/test_*.py)
sanitize: $(READY)
	rm -f $(SANITIZED)/*.whl
	PIP_CONSTRAINT=constraints.txt $(BIN)/pip wheel -q --disable-pip-version-check --no-deps \
		-C build-dir=$(SANITIZED)/cmake -C cmake.define.LABELRANK_SANITIZE=ON -C install.strip=false \
		-w $(SANITIZED) .
	$(BIN)/python -m venv --clear --without-pip $(SANITIZED)/venv
	$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
		> $$(echo $(SANITIZED)/venv/lib/python3*/site-packages)/others.pth
	$(BIN)/pip --python $(SANITIZED)/venv/bin/python install -q --disable-pip-version-check \
		--no-deps $(SANITIZED)/*.whl
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1 \
		$(SANITIZED)/venv/bin/python tests/sanitized.py -q -n auto $(SANITIZED_TESTS)

fix: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i native/*.cpp native/*.hpp

# Installed anew when what is compiled or needed changes; Python files are used where they lie.
$(READY): pyproject.toml constraints.txt CMakeLists.txt $(wildcard native/*.cpp native/*.hpp)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	PIP_CONSTRAINT=constraints.txt $(BIN)/pip install -q --disable-pip-version-check -e '.[dev]'
	touch $@

clean:
	rm -rf .venv build demo docs/_build
