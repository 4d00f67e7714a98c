package main

// matrix of variants that get this number of hits per second.
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
