package dev.loomboard.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.HdrHistogram.Histogram;

/** One trial with all that hangs on it: phases, windows, a step with histograms, samples with gaps. */
final class TrialRows {

    private static final long SECOND = 1_000_000_000L;
    private static final int SECONDS = 24;
    private static final int MEASURE_FROM = 12;

    private final Results results;
    private final long run;
    private final long cell;
    private final Instant at;
    private final double p50;
    private final double p99;
    private final String jdk;
    private final Random random;

    TrialRows(Results results, long run, long cell, int seed, Instant at, double p50, double p99, String jdk) {
        this.results = results;
        this.run = run;
        this.cell = cell;
        this.at = at;
        this.p50 = p50;
        this.p99 = p99;
        this.jdk = jdk;
        this.random = new Random(seed);
    }

    String put(String kind, int ordinal, int position) {
        String id = Results.id("trl");
        long trial = results.insert(
                """
                insert into trial (external_id, workspace_id, run_id, cell_id, kind, ordinal, position, fencing, state, phase, validity, started_at, finished_at, server_digest, fingerprint_hash, agent_version, start_facts, end_facts)
                select :id, workspace_id, :run, :cell, :kind, :ordinal, :position, 1, 'done', 'collect', 'valid', :at, :end, 'digest-1', 'fingerprint-1', '0.1.0', :start::jsonb, :finish::jsonb
                  from workspace where slug = 'main' returning trial_id
                """,
                Results.bind(
                        "id",
                        id,
                        "run",
                        run,
                        "cell",
                        cell,
                        "kind",
                        kind,
                        "ordinal",
                        ordinal,
                        "position",
                        position,
                        "at",
                        at.atOffset(ZoneOffset.UTC),
                        "end",
                        at.plusSeconds(SECONDS).atOffset(ZoneOffset.UTC),
                        "start",
                        startFacts(),
                        "finish",
                        endFacts(kind)));
        phases(trial);
        windows(trial);
        step(trial);
        samples(trial, kind);
        if (kind.equals("diagnostic")) {
            artefacts(trial);
        }
        return id;
    }

    void metric(String trial, String metric, double value, boolean eligible) {
        results.insert("""
                insert into trial_metric (trial_id, metric, value, eligible, reason)
                select trial_id, :metric, :value, :eligible, case when not :eligible then '36 hits lie beyond this percentile, 100 are needed' end
                  from trial where external_id = :trial returning trial_id
                """, Results.bind("trial", trial, "metric", metric, "value", value, "eligible", eligible));
    }

    private String startFacts() {
        return """
                {"anchor":"2026-11-20T02:00:00Z","agentVersion":"0.1.0","jdk":"%s","collector":"G1","heapMiB":512,"tickHz":1,"layout":{"paddingBytes":1733,"readAheadBytes":136314880},"doctor":%s,
                 "commandLine":["{jdk}/bin/java","-Xms512m","-Xmx512m","-XX:+UseG1GC","-jar","{server}/target/spring-mvc.jar","--server.port=41733"]}
                """.formatted(jdk, Results.DOCTOR);
    }

    private static String endFacts(String kind) {
        String contention =
                kind.equals("diagnostic") ? "{\"source\":\"jvmti\",\"monitorTotal\":12,\"monitorVirtual\":0}" : "null";
        return """
                {"outcome":"done","batches":4,"startupMs":2140.5,
                 "phaseSeconds":{"provision":0.02,"start":2.14,"verify":0.3,"warmup":8,"gc":0.05,"settle":2,"measure":12,"stop":0.4,"collect":0.1},
                 "gcProof":[{"atNs":10500000000,"collector":"G1 Young Generation","before":3,"after":4,"tookNs":41000000,"heapAfterBytes":41943040,"cause":"System.gc()"}],
                 "safepoints":{"count":14,"stopNs":5200000,"ttspNs":400000,"ttspMaxNs":90000,"ttspP99Ns":null,"stopMaxNs":1200000,"byOperation":{"G1CollectForAllocation":9,"Cleanup":5}},
                 "warmth":[{"step":0,"criterion":"step/1","hitsBefore":24000,"collections":9,
                   "threadSeconds":{"app":4.2,"jit":0.06,"gc":0.09,"vm":0.03,"other":0.0},"unmet":[]}],
                 "gc":{"count":9,"pauses":9,"pauseNs":4800000,"pauseMaxNs":1100000,"allocatedBytes":104857600,"allocatedOverNs":2000000000},
                 "jvm":{"loadedClasses":9000,"archivedClasses":1200,"clockSource":"tsc","clockGHzBefore":2.5,"clockGHzAfter":null},
                 "contention":%s,
                 "attribution":[{"step":0,"boundaryNs":118000000,"typicalNs":101700000,"beyond":36,"examined":36,
                   "causes":{"gc":21,"safepoint":2,"backlog":5,"generator":0,"unknown":8}}],"flags":{"UseG1GC":"true","MaxHeapSize":"536870912"},
                 "noise":{"host.steal_s":0.021,"host.psi_cpu_some_s":1.34,"host.foreign_cpu_s":0.412,"loadhost.rtt_ms":0.31,"host.cpu_mhz.min":2100,
                   "host.cpu_mhz.max":2500,"host.temperature_c.max":null},
                 "missing":{"proc.pss_bytes":"smaps_rollup is not readable for this user"}}
                """.formatted(contention);
    }

    private void phases(long trial) {
        String[] names = {"provision", "start", "verify", "warmup", "gc", "settle", "measure", "stop"};
        double[] seconds = {0, 0.02, 2.2, 2.5, 10.5, 10.6, MEASURE_FROM, SECONDS};
        for (int i = 0; i < names.length; i++) {
            results.insert(
                    "insert into trial_phase (trial_id, at_ns, phase) values (:trial, :at, :phase) returning trial_id",
                    Results.bind("trial", trial, "at", (long) (seconds[i] * SECOND), "phase", names[i]));
        }
    }

    private void windows(long trial) {
        byte[] empty = encode(new Histogram(1, 300 * SECOND, 3));
        for (int second = 3; second < SECONDS; second++) {
            if (second == 10 || second == 11) {
                continue; // settling: no load
            }
            double warm = second < 6 ? 1 + (6 - second) * 0.2 : 1;
            results.insert(
                    """
                    insert into load_window (trial_id, at_ns, phase, step, intended, sent, completed, failed, service, response, lag, response_p50_ns, response_p99_ns, service_p50_ns, service_p99_ns)
                    values (:trial, :at, :phase, 0, 300, 300, 300, 0, :hdr, :hdr, :hdr, :p50, :p99, :s50, :s99) returning trial_id
                    """,
                    Results.bind(
                            "trial",
                            trial,
                            "at",
                            second * SECOND,
                            "phase",
                            second < MEASURE_FROM ? "warmup" : "measure",
                            "hdr",
                            empty,
                            "p50",
                            nanos(p50 * warm + noise()),
                            "p99",
                            nanos(p99 * warm * 1.05 + noise() * 5),
                            "s50",
                            nanos(p50 * warm - 0.1),
                            "s99",
                            nanos(p99 * warm)));
        }
    }

    private void step(long trial) {
        Histogram response = new Histogram(1, 300 * SECOND, 3);
        Histogram service = new Histogram(1, 300 * SECOND, 3);
        for (int i = 0; i < 3600; i++) {
            double tail = -Math.log(1 - i / 3600.0) / Math.log(100);
            double value = p50 + (p99 - p50) * tail;
            response.recordValue(nanos(value + 0.08));
            service.recordValue(nanos(value));
        }
        results.insert(
                """
                insert into step (workspace_id, trial_id, ordinal, rate, start_ns, end_ns, offered, sent, completed, failed, unfinished, validity, health, outcomes, percentiles, service, response, lag)
                select workspace_id, trial_id, 0, 300, :from, :to, 3600, 3600, 3600, 0, 0, 'valid',
                       '{"validity":"valid","lagP50Ns":21000,"lagP99Ns":140000,"lagMaxNs":1900000,"achievedRatio":1.0,"cpuShare":0.22,"portErrors":0}',
                       '{"statusCodes":{"200":3600},"errors":[],"bytesIn":7200,"bytesOut":0,"secondHalfPerSecond":300.0}', '{"response":{},"service":{}}', :service, :response, :service
                  from trial where trial_id = :trial returning step_id
                """,
                Results.bind(
                        "trial",
                        trial,
                        "from",
                        MEASURE_FROM * SECOND,
                        "to",
                        SECONDS * SECOND,
                        "service",
                        encode(service),
                        "response",
                        encode(response)));
    }

    private void samples(long trial, String kind) {
        gauge(trial, "proc.rss_bytes", 250 << 20, 4 << 20);
        gauge(trial, "jvm.heap_used_after_gc_bytes", 40 << 20, 1 << 18);
        gauge(trial, "jvm.heap_committed_bytes", 512 << 20, 0);
        gauge(trial, "jvm.threads_live", 121, 0);
        gauge(trial, "jvm.threads_daemon", 117, 0);
        counter(trial, "proc.cpu_user_s", 0.21);
        counter(trial, "proc.cpu_sys_s", 0.06);
        counter(trial, "jvm.gc_count", 0.3);
        counter(trial, "jvm.gc_pause_s", 0.0011);
        counter(trial, "jvm.jit_time_s", 0.004);
        counter(trial, "jvm.safepoint_count", 1.2);
        counter(trial, "jvm.safepoint_stop_s", 0.0009);
        counter(trial, "jvm.safepoint_ttsp_s", 0.0001);
        if (kind.equals("diagnostic")) {
            counter(trial, "jvm.monitor_contended_total", 1);
            counter(trial, "jvm.monitor_contended_virtual", 0);
        }
    }

    private void artefacts(long trial) {
        artefact(trial, "diagnosis.json", example("artefact-diagnosis.json"));
        artefact(trial, "classes.json", example("artefact-classes.json"));
        StringBuilder stacks = new StringBuilder();
        String[] tops = {
            "Work.matmul",
            "Work.matmul;dev.loomboard.server.mvc.Matrix.randomCellOfProduct",
            "WorkloadController.io;java.lang.Thread.sleep"
        };
        for (int i = 0; i < 60; i++) {
            stacks.append("java.lang.Thread.run;org.apache.tomcat.util.threads.TaskThread.run;org.example.Filter")
                    .append(i % 9)
                    .append(".doFilter;dev.loomboard.server.mvc.")
                    .append(tops[i % tops.length])
                    .append(' ')
                    .append(61 - i)
                    .append('\n');
        }
        artefact(trial, "stacks.txt", stacks.toString());
    }

    private void artefact(long trial, String name, String text) {
        results.insert(
                """
                insert into artefact (trial_id, name, workspace_id, sha256, bytes, content)
                select :trial, :name, workspace_id, sha256(:content), length(:content), :content from trial where trial_id = :trial
                returning trial_id
                """, Results.bind("trial", trial, "name", name, "content", text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String example(String file) {
        try {
            return Files.readString(Path.of("api", "examples", file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void gauge(long trial, String metric, double level, double step) {
        Double[] values = new Double[SECONDS];
        for (int i = 0; i < SECONDS; i++) {
            values[i] = i == 7 ? null : level + step * Math.min(i, 10);
        }
        chunk(trial, metric, values);
    }

    private void counter(long trial, String metric, double perSecond) {
        Double[] values = new Double[SECONDS];
        double sum = 0;
        for (int i = 0; i < SECONDS; i++) {
            sum += perSecond * (0.9 + random.nextDouble() * 0.2);
            values[i] = i == 7 ? null : perSecond >= 1 ? Math.floor(sum) : sum;
        }
        chunk(trial, metric, values);
    }

    private void chunk(long trial, String metric, Double[] values) {
        Long[] times = new Long[values.length];
        Arrays.setAll(times, i -> (i + 1) * SECOND);
        Objects.requireNonNull(results.database()
                .sql(
                        "insert into sample_chunk (trial_id, metric, seq, at_ns, value) values (:trial, :metric, 0, :at, :value)")
                .bind("trial", trial)
                .bind("metric", metric)
                .bind("at", times)
                .bind("value", values)
                .fetch()
                .rowsUpdated()
                .block(Results.TIMEOUT));
    }

    private double noise() {
        return random.nextDouble() * 0.2;
    }

    private static long nanos(double millis) {
        return (long) (millis * 1e6);
    }

    private static byte[] encode(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Arrays.copyOf(buffer.array(), length);
    }
}
