# Everything that is done with this tree. `make` lists it; each line does one thing, and what
# takes more than a line stands in scripts/.

WEB := svc-http/web
ROUNDS ?= 1000
HOURS ?= 1
SECONDS ?= 60

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help test check fmt clippy doc deny package web web-api web-check web-fresh dev bench crash faults soak fuzz dist

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

test: ## Run every test; STRICT=1 fails where something would be skipped
	@scripts/test

check: ## Run every check that is not a test
	@scripts/check

fmt: ## Check the format of the Rust code
	cargo fmt --all --check

clippy: ## Lint the Rust code, warnings denied
	cargo clippy --locked --workspace --all-targets --all-features -- --deny warnings
	cargo clippy --locked -p svc-core -- --deny warnings
	cargo clippy --locked -p svc-core --no-default-features --features postgres -- --deny warnings

# An interrupted rustdoc leaves files behind that the next one cannot read, so each run starts without them.
doc: ## Build the documentation, warnings denied
	cargo clean --quiet --doc
	RUSTDOCFLAGS='--deny warnings' cargo doc --locked --workspace --all-features --no-deps

package: ## Pack the libraries as cargo would publish them, without a build
	cargo package --no-verify --allow-dirty --exclude-lockfile -p svc-macros -p svc-model -p svc-client -p svc-core

deny: ## Check licences, sources, banned crates and advisories
	@scripts/deny

web-api: ## Write down the API for the web UI, and generate its types
	@scripts/web-packages
	SVC_WRITE_WEB_API=1 cargo test --locked -p svc --test it web_api::
	cd $(WEB) && npm run api

web: ## Build the web UI into svc-http/web/dist
	@scripts/web-packages
	cd $(WEB) && npm run build

web-check: ## Check types and format of the web UI
	@scripts/web-packages
	cd $(WEB) && npm run check

web-fresh: ## Check that svc-http/web/dist is what its source builds
	@scripts/web-packages
	@scripts/web-fresh

dev: ## Run the server on ./data, and the web UI from its source beside it
	@scripts/web-packages
	@scripts/dev

bench: ## Measure; the table is printed and kept under target/bench
	cargo bench --locked -p svc --bench hub

crash: ## Kill and restart a server ROUNDS times and look for losses
	SVC_CRASH_ROUNDS=$(ROUNDS) cargo test --locked -p svc --test it crash -- --nocapture

faults: ## Break disks, PostgreSQL, clocks and nodes under load and check what has to hold
	STRICT=1 SVC_CRASH_ROUNDS=5 cargo test --locked -p svc --test it -- --nocapture \
		faults:: full_disk:: conditions:: damage:: clock_back:: crash_nodes::

soak: ## Run a server under steady load for HOURS; tables and pictures are under target/soak, with DOCS=1 in docs too
	@scripts/soak $(HOURS)

fuzz: ## Fuzz every parser for SECONDS each; what is found is under fuzz/artifacts
	@scripts/fuzz $(SECONDS)

dist: ## Build what is shipped into dist/: static programs, manual pages, completions, checksums
	@scripts/dist
