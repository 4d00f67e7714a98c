package main

// series is a build after quiet nights. Slow are the arguments by which slowjdk makes it slower: a series without is clean.
type series struct {
	Name, Kind string
	Effect     float64 // on CPU time per request, as a share of it; 0: none
	Slow       []string
}

// everyBuild is what slowjdk makes of each build, slow or not: a patched class switches the archive of classes off, so that is off for all.
var everyBuild = []string{"--hash-rounds", "0"}

// all are the series that are to be found or left alone. The effects of options and of a changed class were measured
// beforehand, on one machine; a share of CPU is what it says.
var all = []series{
	{"share-5a", "share of CPU", 0.05, []string{"--share", "0.05"}},
	{"hash-5a", "java.util.HashMap", 0.05, []string{"--hash-rounds", "30"}},
	{"inlining-5a", "inlining", 0.05, []string{"--options", "-XX:MaxInlineSize=12"}},
	{"hash-5b", "java.util.HashMap", 0.05, []string{"--hash-rounds", "30"}},
	{"share-5b", "share of CPU", 0.05, []string{"--share", "0.05"}},
	{"clean-a", "none", 0, nil},
	{"clean-b", "none", 0, nil},
	{"clean-c", "none", 0, nil},
	{"clean-d", "none", 0, nil},
	{"clean-e", "none", 0, nil},
	{"share-3a", "share of CPU", 0.03, []string{"--share", "0.03"}},
	{"hash-3a", "java.util.HashMap", 0.03, []string{"--hash-rounds", "18"}},
	{"inlining-3a", "inlining", 0.03, []string{"--options", "-XX:MaxInlineSize=20"}},
}
