package main

import (
	_ "embed"
	"errors"
	"os"
	"path/filepath"
)

//go:embed Overload.java
var source []byte

const spec = `schema: loomboard.server/1
name: overload
title: A server under more than it can do
framework: none
java: 21
artifact: Overload.java
build: overloadbench writes it
command: ["-Dsun.net.httpserver.nodelay=true", "{artifact}", "{port}"]
readiness: {method: GET, path: /ready}
gc: {method: POST, path: /gc}
jvm: {collector: Serial, heapMiB: 256, options: []}
variants:
  - {name: waits, concurrencyModel: platform-threads, args: [waits], jvmOptions: []}
  - {name: sheds, concurrencyModel: platform-threads, args: [sheds], jvmOptions: []}
  - {name: narrow, concurrencyModel: platform-threads, args: [narrow], jvmOptions: []}
workloads: [hit]
`

const workloads = `schema: loomboard.workloads/1
workloads:
  hit:
    version: 1
    title: Answers ok
    method: GET
    path: /hit
    params: {}
    checks:
      - {params: {}, status: 200, body: ok}
`

// matrix of variants that get so many hits per second.
func matrix(name, variants, rate string) string {
	return `schema: loomboard.matrix/1
name: ` + name + `
title: "Overload: ` + name + `"
protocol: overload/1
jdks: [latest-ga]
jdkLimit: 1
servers:
  - {server: overload, variants: [` + variants + `]}
scenarios:
  - {workload: hit, params: {}, load: {profile: constant, rate: ` + rate + `, seconds: 12}}
collectors: []
jvmOptions: []
trials: {scored: 3, diagnostic: 0}
phases:
  warmup: [{rate: 100, seconds: 5}]
  settleSeconds: 1
  rewarmSeconds: 0
maxWorkers: 2048
timeoutSeconds: 30
`
}

func writeServers(dir string) error {
	at := filepath.Join(dir, "overload")
	return errors.Join(
		os.MkdirAll(at, 0o700),
		os.WriteFile(filepath.Join(dir, "workloads.yaml"), []byte(workloads), 0o600),
		os.WriteFile(filepath.Join(at, "server.yaml"), []byte(spec), 0o600),
		os.WriteFile(filepath.Join(at, "Overload.java"), source, 0o600),
	)
}
