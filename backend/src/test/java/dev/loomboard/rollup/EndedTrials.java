package dev.loomboard.rollup;

import dev.loomboard.kernel.WireName;
import dev.loomboard.measurement.StoredJson;
import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.measurement.Validity;
import dev.loomboard.stats.latency.Latencies;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ended trials to make numbers of, without a database. */
final class EndedTrials {

    static final long SECOND = 1_000_000_000L;
    static final long MS = 1_000_000L;
    static final String END = """
            {"startupMs": 2215.4, "gcProof": [{"atNs": 9000000000, "heapAfterBytes": 20971520},
                                              {"atNs": 99000000000, "heapAfterBytes": 1}],
             "safepoints": {"count": 6, "stopNs": 12000000, "ttspNs": 1200000},
             "contention": {"source": "jvmti", "monitorTotal": 36, "monitorVirtual": null}}
            """;

    /** How late requests left: no metric is doubted for it. */
    static final EndedTrial.Lag PROMPT = new EndedTrial.Lag(8_000L, 60_000L);
    /** Of a closed load. */
    static final EndedTrial.Lag NONE = new EndedTrial.Lag(null, null);

    private EndedTrials() {}

    static Map<String, MetricValue> numbers(EndedTrial facts) {
        return TrialNumbers.of(
                facts,
                facts.steps().stream()
                        .map(s -> StepNumbers.of(s, Collections.nCopies(12, s.hits()), facts.declaredDelayNanos()))
                        .toList());
    }

    static EndedTrial facts(boolean diagnostic, List<EndedTrial.Step> steps, Map<String, SampleColumn> columns) {
        return new EndedTrial(1, 1, diagnostic, false, 100, true, StoredJson.read(END, TrialEnd.class), steps, columns);
    }

    /** Twelve seconds at 300/s from second 10: 3600 hits about 100 ms, one of 150 ms. */
    static EndedTrial.Step step(int ordinal, String validity, int failed) {
        return step(ordinal, validity, failed, PROMPT);
    }

    static EndedTrial.Step step(int ordinal, String validity, int failed, EndedTrial.Lag lag) {
        byte[] service = Latencies.none()
                .with(100_500_000, 3000)
                .with(105 * MS, 599)
                .with(150 * MS, 1)
                .encode();
        byte[] response = Latencies.none()
                .with(101 * MS, 3000)
                .with(106 * MS, 599)
                .with(150 * MS, 1)
                .encode();
        byte[] excess = Latencies.none()
                .with(MS, 3000)
                .with(6 * MS, 599)
                .with(50 * MS, 1)
                .encode();
        EndedTrial.Hits hits = new EndedTrial.Hits(service, null, response, null, excess, 0);
        return step(ordinal, 300.0, 3600, failed, WireName.of(Validity.class, validity), lag, hits);
    }

    /**
     * Twelve seconds from second 10, in which all ended that did not fail.
     *
     * @param rate null: of a closed load
     */
    static EndedTrial.Step step(
            int ordinal,
            @Nullable Double rate,
            long offered,
            long failed,
            Validity validity,
            EndedTrial.Lag lag,
            EndedTrial.Hits hits) {
        return new EndedTrial.Step(
                ordinal,
                ordinal,
                rate,
                10 * SECOND,
                22 * SECOND,
                new EndedTrial.Counts(offered, offered - failed, failed, 0, offered - failed),
                validity,
                30 * SECOND,
                lag,
                hits);
    }

    static EndedTrial.Step with(EndedTrial.Step s, @Nullable Long completedInStep, EndedTrial.Hits hits) {
        return new EndedTrial.Step(
                s.stepId(),
                s.ordinal(),
                s.rate(),
                s.startNanos(),
                s.endNanos(),
                new EndedTrial.Counts(
                        s.counts().offered(),
                        s.counts().completed(),
                        s.counts().failed(),
                        s.counts().unfinished(),
                        completedInStep),
                s.validity(),
                s.deadlineNanos(),
                s.lag(),
                hits);
    }

    static Map<String, SampleColumn> columns() {
        Double mib = 1024.0 * 1024;
        return Map.of(
                "proc.cpu_user_s", column(3, 0.25),
                "proc.cpu_sys_s", column(1, 0.25),
                "proc.rss_bytes",
                        new SampleColumn(
                                new long[] {5 * SECOND, 10 * SECOND, 15 * SECOND, 22 * SECOND, 40 * SECOND},
                                new @Nullable Double[] {999 * mib, 255 * mib, 256 * mib, 250 * mib, 999 * mib}));
    }

    /** A tick a second from 0 to 30, rising evenly. */
    static SampleColumn column(double from, double perSecond) {
        long[] at = new long[31];
        Double[] values = new Double[31];
        for (int i = 0; i <= 30; i++) {
            at[i] = i * SECOND;
            values[i] = from + i * perSecond;
        }
        return new SampleColumn(at, values);
    }

    static MetricValue metric(Map<String, MetricValue> all, String name) {
        MetricValue value = all.get(name);
        if (value == null) {
            throw new AssertionError("no " + name + " among " + all.keySet());
        }
        return value;
    }

    static double value(Map<String, MetricValue> all, String name) {
        return metric(all, name).value();
    }
}
