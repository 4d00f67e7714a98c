package main

import "testing"

func TestOlder_numbersThenWords(t *testing.T) {
	for _, pair := range [][2]string{ // each is older than the one beside it
		{"4.2.15.Final", "4.2.18.Final"},
		{"4.2.9", "4.2.18"},
		{"v0.33.0", "0.53.0"},
		{"1.0-rc1", "1.0"},
		{"1.0-alpha2", "1.0-beta1"},
		{"1.0", "1.0.1"},
		{"1.26", "1.26.3"},
		{"v0.0.0-20230804202142-fc85eb664529", "v0.1.0"},
	} {
		if !older(pair[0], pair[1]) || older(pair[1], pair[0]) {
			t.Errorf("%s must be older than %s", pair[0], pair[1])
		}
	}
	for _, same := range [][2]string{{"4.2.18.Final", "4.2.18"}, {"1.1.1.RELEASE", "1.1.1"}, {"v2.1.4+incompatible", "2.1.4"}, {"1.0", "1.0.0"}} {
		if older(same[0], same[1]) || older(same[1], same[0]) {
			t.Errorf("%s and %s must be the same", same[0], same[1])
		}
	}
}
