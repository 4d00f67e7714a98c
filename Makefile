# The same verbs everywhere: build test lint fmt run bench. `make help` lists them.
.DEFAULT_GOAL := help
.PHONY: help compose compose-env build java servers agent backend test lint fmt run demo demo-java release stranger detect verify-rollups rotate-signing-key simulate aa seeded results bisected night firings warmbench widthbench fill bench bench-pages crawl attackbench chaos swarm fuzz repeat contract audit checksums clean needs

AGENT      := runner-agent/build/loomboard-agent
DEMO       := runner-agent/build/loomboard-demo
BACKEND    := backend/target/loomboard.jar
SAMPLES    := $(patsubst %/pom.xml,%,$(wildcard sample-servers/*/pom.xml))
SERVERS    := $(foreach sample,$(SAMPLES),$(sample)/target/$(notdir $(sample)).jar)
GO_SAMPLES := $(patsubst %/go.mod,%,$(wildcard sample-servers/*/go.mod))
GO_SERVERS := $(foreach sample,$(GO_SAMPLES),$(sample)/target/$(notdir $(sample)))

PORT ?= 8080
export MAVEN_OPTS ?= --sun-misc-unsafe-memory-access=allow
JDK   = $(shell .make/jdk 25)
MVN   = JAVA_HOME="$(JDK)" ./mvnw -B -q
# Each sample server is a build of its own, of Maven or of Go.
each_sample = for sample in $(SAMPLES); do $(MVN) -f $$sample/pom.xml $(1) || exit 1; done
each_go_sample = for sample in $(GO_SAMPLES); do (cd $$sample && $(1)) || exit 1; done

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

needs:
	@.make/need-go && .make/jdk 25 >/dev/null

build: needs ## build everything that runs
	@$(MAKE) -s -j2 java agent
java: $(GO_SERVERS) ## the service and the sample servers
	$(call package,$(BACKEND) $(SERVERS))
backend: ## the service
	$(call package,$(BACKEND))
servers: $(GO_SERVERS) ## the sample servers
	$(call package,$(SERVERS))
agent: ## the runner agent and the demo's driver
	@$(MAKE) -s -C runner-agent build JAVA_HOME="$(JDK)"

# One Maven run builds whatever of the given jars is missing or older than its sources.
define package
@stale=$$(for jar in $(1); do MAKEFLAGS= $(MAKE) -s -q $$jar || echo $${jar%/target/*}; done); \
	test -z "$$stale" || { echo "Building" $$stale "…"; \
	$(MVN) -T2 -pl "$$(echo $$stale | tr ' ' ,)" package -Dmaven.test.skip=true $(if $(UNCHECKED),-Dchecks=-Xlint:none) && \
	touch $(1) $(if $(UNCHECKED),$(UNCHECKED)); }
endef
sources = $(shell find $(1) -type f -not -path "*/target/*" -not -name "*.md" 2>/dev/null)
$(BACKEND): pom.xml GLOSSARY.md LICENSE NOTICE $(call sources,backend frontend migrations sample-servers/matrices)
	@: # asked of by package, which builds it
$(foreach sample,$(SAMPLES),$(eval $(filter $(sample)/%,$(SERVERS)): $(call sources,$(sample)) ; @:))

# Nothing of the commit or of this folder is in it: the same sources and Go give the same digest.
define go_server
$(1)/target/$(notdir $(1)): $(call sources,$(1))
	@echo "Building $(1) …"
	@cd $(1) && CGO_ENABLED=0 go build -trimpath -buildvcs=false -o target/$(notdir $(1)) . && touch target/$(notdir $(1))
endef
$(foreach sample,$(GO_SAMPLES),$(eval $(call go_server,$(sample))))

# A demo should not wait for the compiler's checks; the tests never take what was built without them.
UNCHECKED_MARK = backend/target/unchecked
demo: needs ## measure on this machine and show it: make demo [ONCE=1] [AGAIN=1] [PORT=8080]
	@$(MAKE) -s -j2 demo-java agent UNCHECKED=$(UNCHECKED_MARK)
	@$(DEMO) -java "$(JDK)/bin/java" -port $(PORT) $(if $(ONCE),-once) $(if $(AGAIN),-again)

# The service, and the servers of the matrix that the demo runs.
DEMO_SERVERS = $(foreach name,$(shell sed -n 's/^ *- {server: \([^,]*\),.*/\1/p' sample-servers/matrices/starter.yaml),$(filter %/$(name).jar,$(SERVERS)))
demo-java:
	$(call package,$(BACKEND) $(DEMO_SERVERS))

run: backend ## only the service, on an embedded PostgreSQL unless LOOMBOARD_DATABASE_URL is set
	@LOOMBOARD_PORT=$(PORT) "$(JDK)/bin/java" -XX:+ExitOnOutOfMemoryError -jar $(BACKEND)

compose-env: ## write .env with random secrets, once
	@.make/compose-env

# Debian's docker-compose is another program than the plugin of Docker's own packages; the file suits both.
COMPOSE = $(shell if docker compose version >/dev/null 2>&1; then echo docker compose; else echo docker-compose; fi)
compose: compose-env build ## the same system in containers, on a real PostgreSQL
	@command -v $(firstword $(COMPOSE)) >/dev/null || { echo "Docker Compose is missing: install the plugin docker-compose-plugin, or Debian's docker.io and docker-compose." >&2; exit 1; }
	$(COMPOSE) up --build

# Packages that measure, start servers or watch processes, the longest first. They mostly wait, so two at a time, and of each more
# tests than there are cores; none is spoilt by what else runs, as `make repeat` shows.
# The service's own Maven run builds it: what `make build` compiled, that would compile again.
# Those of FAULTS start the service, which is built by its own tests.
FAULTS    = faults
MEASURING = trial load sample remote server limits truthserver dbproxy load/rawhttp
test: needs ## every test of every component; first installs what it needs and may
	@.make/test-tools
	@test ! -e $(UNCHECKED_MARK) || rm -r backend/target
	@$(MAKE) -s -j2 servers agent
	@echo "== runner agent"
	@cd runner-agent && go vet ./... && go test -parallel 6 $$(go list ./... | grep -vxF "$$(go list $(MEASURING:%=./internal/%) $(FAULTS:%=./internal/%))")
	@echo "== runner agent, what measures"
	@cd runner-agent && go test -p 2 -parallel 6 $(MEASURING:%=./internal/%)
	@echo "== audit"
	@cd audit && go test ./...
	@echo "== sample servers"
	@$(call each_go_sample,go vet ./... && go test ./...)
	@$(call each_sample,verify)
	@$(AGENT) verify --servers sample-servers
	@echo "== service"
	@JAVA_HOME="$(JDK)" ./mvnw -B -f backend/pom.xml verify
	@echo "== faults, with real processes"
	@cd runner-agent && JAVA_HOME="$(JDK)" go test -parallel 6 $(FAULTS:%=./internal/%)

repeat: build ## are the tests of limits, processes and timing green while every core is busy? make repeat [TIMES=20] [ONLY=pattern of packages and classes] [AT_ONCE=1] [EVIDENCE=1]; hours
	@.make/test-tools
	@cd runner-agent && JAVA_HOME="$(JDK)" go run ./cmd/repeat -times "$(or $(TIMES),20)" -only '$(value ONLY)' -at-once "$(or $(AT_ONCE),1)" \
		$(if $(EVIDENCE),-evidence evidence/repeat.jsonl) $(MEASURING) $(FAULTS) cores doctor

fuzz: needs ## arbitrary bytes for each decoder of agent and service: make fuzz [TIME=10m] [ONLY=pattern]; TIME each, what is found is kept as a test
	@.make/fuzz "$(or $(TIME),10m)" "$(ONLY)"

contract: needs backend ## does the service answer as its API descriptions say, whatever it is sent? make contract [EXAMPLES=25] [TIME=10m]; TIME for each of six passes
	@.make/contract-tools
	@cd runner-agent && exec go run ./cmd/contract -java "$(JDK)/bin/java" -jar "$(CURDIR)/$(BACKEND)" -out "$(CURDIR)/build/contract" \
		-schemathesis "$(CURDIR)/build/contract/venv/bin/schemathesis" $(if $(TIME),-time $(TIME)) $(if $(EXAMPLES),-examples $(EXAMPLES))

lint: needs ## formatters and linters of Java, Go, templates, CSS, JS, SQL and shell, changing nothing
	@.make/lint-tools
	@.make/lint-files
	@$(MAKE) -s -C runner-agent lint
	@$(MAKE) -s -C audit -f ../runner-agent/Makefile lint
	@$(call each_go_sample,$(MAKE) -s -f ../../runner-agent/Makefile lint)
	@$(MVN) -f backend/pom.xml spotless:check
	@$(call each_sample,spotless:check)

fmt: needs ## format everything
	@.make/lint-tools
	@.make/lint/node_modules/.bin/prettier --log-level warn --write frontend/static/css frontend/static/js
	@$(MAKE) -s -C runner-agent fmt
	@$(MAKE) -s -C audit -f ../runner-agent/Makefile fmt
	@$(call each_go_sample,$(MAKE) -s -f ../../runner-agent/Makefile fmt)
	@$(MVN) -f backend/pom.xml spotless:apply
	@$(call each_sample,spotless:apply)

# Everything carries the commit's time and nothing of this machine. Bills of materials are those of the last `make audit`.
VERSION ?= $(shell .make/version)
# The publisher's private key (openssl genpkey -algorithm ed25519); none: the release is unsigned.
RELEASE_KEY = $(if $(LOOMBOARD_RELEASE_KEY),$(abspath $(LOOMBOARD_RELEASE_KEY)))
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct)
release: needs ## what is given to others, in build/release: agent, service, servers, digests; make release [IMAGES=1] [VERSION=1.2.3] [LOOMBOARD_RELEASE_KEY=key.pem]
	@$(MAKE) -s java $(if $(IMAGES),agent)
	@$(MAKE) -s -C runner-agent release VERSION="$(VERSION)" JAVA_HOME="$(JDK)" KEY="$(RELEASE_KEY)"
	@cd runner-agent && go run ./cmd/release -version "$(VERSION)" -time "$(SOURCE_DATE_EPOCH)" -key "$(RELEASE_KEY)"
ifdef IMAGES
	docker build -t loomboard:$(VERSION) -f backend/Dockerfile .
	docker build -t loomboard-runner:$(VERSION) -f runner-agent/Dockerfile .
endif

# In namespaces of its own, on two bare machines: nothing is installed here, and no network but loopback is there.
stranger: $(if $(RELEASE),,release) ## what it takes somebody who has nothing of ours to a first result, run by root: make stranger [ROOT=1] [RELEASE=folder]; some minutes
	@cd runner-agent && go build -o build/stranger ./cmd/stranger && exec build/stranger -release "$(abspath $(or $(RELEASE),build/release))" -jdk "$(JDK)" $(if $(ROOT),-as-root)

# Standard output is the result's alone: whatever a build says goes to standard error.
DETECT_JVM = -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto
detect: ## change points of a file with a number per line: make detect FILE=series.csv [WINDOW=50] [P=0.001] [MAGNITUDE=0]
	@.make/jdk 25 >/dev/null
	@$(MAKE) -s backend >&2
	@"$(JDK)/bin/java" $(DETECT_JVM) -jar $(BACKEND) detect "$(FILE)" $(if $(WINDOW),"--window=$(WINDOW)") \
		$(if $(P),"--p=$(P)") $(if $(MAGNITUDE),"--magnitude=$(MAGNITUDE)")

verify-rollups: backend ## make all stored numbers again and compare them, to the last bit; the service must be stopped, or LOOMBOARD_DATABASE_URL set
	@"$(JDK)/bin/java" -jar $(BACKEND) verify-rollups

rotate-signing-key: backend ## another key for the signatures of assignments; the service must be stopped, or LOOMBOARD_DATABASE_URL set
	@"$(JDK)/bin/java" -jar $(BACKEND) rotate-signing-key

simulate: ## how often the statistics are wrong: make simulate [SEED=20261121] [SERIES=2000] [THREADS=all] [JSON=file]; minutes
	@.make/jdk 25 >/dev/null
	@$(MAKE) -s backend >&2
	@exec "$(JDK)/bin/java" -XX:+UseSerialGC -jar $(BACKEND) simulate $(if $(SEED),"--seed=$(SEED)") $(if $(SERIES),"--series=$(SERIES)") \
		$(if $(THREADS),"--threads=$(THREADS)") $(if $(JSON),"--json=$(JSON)")

# With FILES nothing is measured. Runs are appended to runner-agent/evidence; one that was broken off goes on where it was.
aa: $(if $(FILES),backend,build) ## how often are verdicts on two homes of one build wrong? make aa [AA="-runs 2"], an hour a run of six; make aa FILES="one.json two.json" (from /runs/…/verdicts.json)
	@$(if $(FILES),,cd runner-agent && go run ./cmd/aa -java "$(JDK)/bin/java" -jdk "$(JDK)" -data "$(abspath $(or $(DATA),.loomboard-aa))" $(AA))
	@exec "$(JDK)/bin/java" -XX:+UseSerialGC -jar $(BACKEND) aa $(or $(FILES),runner-agent/evidence/aa.jsonl)

# Outcomes are appended to runner-agent/evidence; what was broken off goes on where it was, at the same commit.
seeded: build ## does the service find slowdowns of known size in a night, compiled as users run them? make seeded [DATA=.loomboard-seeded] [SEEDED="-only 5 -most 150m"]; half an hour and more a series
	@cd runner-agent && exec go run ./cmd/seeded -java "$(JDK)/bin/java" -jdk "$(JDK)" -data "$(abspath $(or $(DATA),.loomboard-seeded))" $(SEEDED)

# Bundles lie in backend/results, which a release packs and the demo shows; a unit that was broken off goes on where it was.
results: $(if $(findstring -plan,$(RESULTS)),needs,build) ## measures the real results that ship: make results [RESULTS="-plan -most 150m -only io-1"]; hours on a machine that does nothing else
	@cd runner-agent && exec go run ./cmd/results -java "$(JDK)/bin/java" -data "$(abspath $(or $(DATA),.loomboard-results))" $(RESULTS)

# Builds, database and results of one size of slowdown; a run that was broken off goes on where it was.
bisected: build ## does a bisection find the build that brought a slowdown? make bisected [SHARE=0.1] [DATA=.loomboard-bisected] [BISECTED="-before 8 …"]; about an hour of real trials
	@cd runner-agent && exec go run ./cmd/bisected -java "$(JDK)/bin/java" -jdk "$(JDK)" -data "$(abspath $(or $(DATA),.loomboard-bisected))" \
		$(if $(SHARE),-share $(SHARE)) $(BISECTED)

# Builds, data and logs lie in a temporary folder, which is removed.
night: build ## does a schedule find, measure and compare a new JDK build by itself? make night [FIRINGS=6] [EVIDENCE=1] [NIGHT="-serve '25 27 28-ea' -keep"]; ten minutes, needs a release and an early access
	@cd runner-agent && exec go run ./cmd/night -java "$(JDK)/bin/java" -jar "$(CURDIR)/$(BACKEND)" $(if $(FIRINGS),-firings $(FIRINGS)) \
		$(if $(EVIDENCE),-evidence evidence/night.jsonl) $(NIGHT)

# One launch after the other, appended to runner-agent/evidence; a bench that was broken off goes on where it was.
PROTOCOLBENCH = cd runner-agent && exec go run ./cmd/protocolbench -agent "$(CURDIR)/$(AGENT)" $(if $(LOCK),-lock "$(abspath $(LOCK))")
warmbench: agent servers ## does the adaptive warm-up measure warm code, and what does it cost? make warmbench [LOCK=file] [BENCH="-rounds 6 -most 150m"]; hours
	@$(PROTOCOLBENCH) $(BENCH) warm
widthbench: agent servers ## what is the adaptive protocol's wall time at equal width of interval? make widthbench [LOCK=file] [BENCH="-cells …"]; hours
	@$(PROTOCOLBENCH) $(BENCH) width

# A database of its own, never the demo's: what is generated is not to be mixed with what was measured.
FILLED = $(abspath $(or $(DATA),.loomboard-filled))
fill: backend ## a database as of years of measuring: make fill [DATA=.loomboard-filled] [SERIES=200] [POINTS=5000] [TRIALS=20] [RAW=2000] [SEED=…]; minutes, 10 GB
	@LOOMBOARD_DATA="$(FILLED)" "$(JDK)/bin/java" -jar $(BACKEND) fill $(if $(SERIES),"--series=$(SERIES)") $(if $(POINTS),"--points=$(POINTS)") \
		$(if $(TRIALS),"--trials=$(TRIALS)") $(if $(RAW),"--raw=$(RAW)") $(if $(SEED),"--seed=$(SEED)")

bench-pages: backend ## what pages cost and weigh on that database, which is filled first where there is none: make bench-pages [DATA=…] [PAGEBENCH="-measure 60s -paint=false"]
	@.make/need-go
	@test -e "$(FILLED)/data" || $(MAKE) -s fill
	@cd runner-agent && go run ./cmd/pagebench -java "$(JDK)/bin/java" -jar ../$(BACKEND) -data "$(FILLED)" $(PAGEBENCH)

crawl: backend ## every page of that database by links, as a search engine would: dead links, equal titles, clicks: make crawl [DATA=…] [CRAWL="-most 20000"]
	@.make/need-go
	@test -e "$(FILLED)/data" || $(MAKE) -s fill
	@cd runner-agent && go run ./cmd/crawl -java "$(JDK)/bin/java" -jar ../$(BACKEND) -data "$(FILLED)" $(CRAWL)

attackbench: backend ## what visitors notice while strangers and agents attack the service, on that database: make attackbench [DATA=…] [ATTACKBENCH="-measure 60s -only idle"]
	@.make/need-go
	@test -e "$(FILLED)/data" || $(MAKE) -s fill
	@cd runner-agent && go run ./cmd/attackbench -java "$(JDK)/bin/java" -jar ../$(BACKEND) -data "$(FILLED)" $(ATTACKBENCH)

# Both bring a service and a PostgreSQL of their own, and leave nothing.
chaos: backend ## agents, service, database, links, clocks and disks fail at random; is anything lost, twice, or hanging? make chaos [TIME=30m] [AGENTS=50] [SEED=…] [REPLICAS=2]
	@.make/need-go
	@cd runner-agent && exec go run ./cmd/chaos -java "$(JDK)/bin/java" -jar ../$(BACKEND) $(if $(TIME),-time $(TIME)) \
		$(if $(AGENTS),-agents $(AGENTS)) $(if $(SEED),-seed $(SEED)) $(if $(REPLICAS),-replicas $(REPLICAS)) $(CHAOS)

firings: backend ## replicas are killed while schedules fire and machines are away: one run a firing, one message an absence? make firings [FIRINGS=50] [SEED=…] [EVIDENCE=1] [MORE="-machines 5 -keep"]; a quarter of an hour
	@.make/need-go
	@cd runner-agent && exec go run ./cmd/firings -java "$(JDK)/bin/java" -jar ../$(BACKEND) $(if $(FIRINGS),-firings $(FIRINGS)) \
		$(if $(SEED),-seed $(SEED)) $(if $(EVIDENCE),-evidence evidence/firings.jsonl) $(MORE)

swarm: backend ## what 2 000 agents cost a service and one PostgreSQL: make swarm [AGENTS=2000] [TIME=5m] [REPLICAS=1; of several one is killed] [SWARM="-ramp 2m"]
	@.make/need-go
	@cd runner-agent && exec go run ./cmd/swarm -java "$(JDK)/bin/java" -jar ../$(BACKEND) $(if $(TIME),-time $(TIME)) \
		$(if $(AGENTS),-agents $(AGENTS)) $(if $(REPLICAS),-replicas $(REPLICAS)) $(SWARM)

bench: build bench-pages ## what pages cost, then the agent's honesty and accuracy benches; hours, not part of the tests
	@$(MAKE) -s -C runner-agent bench

# The service's own bill of materials is inside its jar; the servers under test stay as they are built.
BOM = org.cyclonedx:cyclonedx-maven-plugin:makeBom -DoutputFormat=json
audit: build ## what is shipped: bills of materials, licences, advisories, vulnerabilities: make audit [LOOMBOARD_OSV=folder with <ecosystem>/all.zip]
	@$(call each_sample,$(BOM))
	@cd audit && LOOMBOARD_OSV="$(if $(LOOMBOARD_OSV),$(abspath $(LOOMBOARD_OSV)))" go run .

# Maven refuses what differs from its line there (.mvn/maven.config); what has no line passes.
RECORD = -Daether.artifactResolver.postProcessor.trustedChecksums.record=true
checksums: needs ## record the SHA-256 of all that Maven resolves, after a change of dependencies, into .mvn/checksums
	@rm -rf .mvn/checksums
	@for at in backend $(SAMPLES); do \
		$(MVN) -f $$at/pom.xml $(RECORD) clean package -Dmaven.test.skip=true && $(MVN) -f $$at/pom.xml $(RECORD) spotless:check $(BOM) || exit 1; done; rm -f .mvn/checksums/*.bak; sed -i "\|  dev/loomboard/|d" .mvn/checksums/checksums.sha256

clean: ## remove what builds made; .loomboard (the demo's data) stays
	@rm -rf backend/target sample-servers/*/target runner-agent/build audit/build build
