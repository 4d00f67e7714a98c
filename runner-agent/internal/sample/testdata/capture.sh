#!/bin/sh
# Captures counter files and logs of the JDKs in a folder (default /opt/jdks), so
# that a new JDK gets its fixtures: testdata/capture.sh [folder]
set -eu
cd "$(dirname "$0")"
here=$PWD jdks=${1:-/opt/jdks} work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp Load.java "$work" && cd "$work"

capture() { # <jdk folder> <name> <collector> [flag]
    home=$1 name=$2-$3 use=$3
    [ "$use" = ZGC ] && use=Z
    shift 3
    mkfifo in && sleep 60 >in & feeder=$!
    while [ ! -p in ]; do sleep 0.1; done
    "$home/bin/java" "-XX:+Use${use%GC}GC" "$@" -Xms64m -Xmx64m \
        "-Xlog:safepoint*=info,gc*=info:file=log:uptimenanos,level,tags:filecount=0" Load.java <in >out & java=$!
    while ! grep -q ready out 2>/dev/null; do sleep 0.1; done
    "$home/bin/jcmd" $java GC.run >gcrun && sleep 0.5
    "$home/bin/jcmd" $java PerfCounter.print | sed 1d >counters
    file=$(echo /tmp/hsperfdata_*/$java)
    # Only what is used of the 32 KiB: bytes 8-11 of the header.
    head -c "$(od -An -tu4 -j8 -N4 "$file" | tr -d ' ')" "$file" >"$here/hsperf/$name.bin"
    case $name in *-G1) grep -v 'java.property\|sun.os.hrt.ticks\|sun.perfdata\|sun.threads' counters >"$here/hsperf/$name.txt" ;; esac
    kill $java; wait $java || true
    kill $feeder; wait $feeder 2>/dev/null || true
    grep -E 'Safepoint "|GC\([0-9]+\).* Pause |Collection' log | grep -v 'gc,stats' | tail -n 60 >"$here/jvmlog/$name.txt"
    rm -f in out log counters gcrun
}

for home in "$jdks"/*; do
    jdk=$(basename "$home")
    capture "$home" "$jdk" G1
    case $jdk in
    jdk-21)
        capture "$home" "$jdk" Serial
        capture "$home" "$jdk" ZGC -XX:+ZGenerational
        capture "$home" "$jdk" Shenandoah ;;
    *ea)
        capture "$home" "$jdk" Serial
        capture "$home" "$jdk" ZGC
        capture "$home" "$jdk" Shenandoah ;;
    esac
done
