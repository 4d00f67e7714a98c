module loomboard.dev/audit

go 1.26.3

require (
	github.com/CycloneDX/cyclonedx-go v0.12.0
	github.com/google/licensecheck v0.3.1
	go.yaml.in/yaml/v3 v3.0.6
)
