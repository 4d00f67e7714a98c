package dev.loomboard.kit;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Makes a trial one whose load was a search: its steps, what was found, and adaptive phases that never got steady. */
final class SearchRows {

    private static final long SECOND = 1_000_000_000L;

    private record Step(
            double rate,
            String role,
            String verdict,
            boolean retry,
            double p50,
            double p99,
            @Nullable String reason) {}

    private static final Step[] STEPS = {
        step(100, "explore", "pass", 100.6, 101.4),
        step(200, "explore", "pass", 100.6, 101.3),
        step(400, "explore", "pass", 100.7, 102.2),
        step(800, "explore", "pass", 101.1, 112.0),
        new Step(1600, "explore", "fail", false, 4210, 8400, "996.1/s of 1600/s were answered in its second half"),
        new Step(1600, "explore", "fail", true, 4190, 8350, "995.8/s of 1600/s were answered in its second half"),
        step(985.8, "narrow", "pass", 101.9, 131.0),
        new Step(1015.4, "narrow", "fail", false, 190, 311, "p99 of the response time is 311.0 ms"),
        new Step(1015.4, "narrow", "fail", true, 188, 305, "p99 of the response time is 305.0 ms"),
        step(985.8, "confirm", "pass", 101.8, 128.0),
        step(492.9, "curve", "pass", 100.8, 103.0),
        step(985.8, "curve", "pass", 101.9, 130.0)
    };

    private final Results results;

    SearchRows(Results results) {
        this.results = results;
    }

    private static Step step(double rate, String role, String verdict, double p50, double p99) {
        return new Step(rate, role, verdict, false, p50, p99, null);
    }

    void put(String trial) {
        for (int i = 0; i < STEPS.length; i++) {
            insert(trial, i, STEPS[i]);
        }
        StringBuilder steps = new StringBuilder();
        for (int i = 0; i < STEPS.length; i++) {
            Step s = STEPS[i];
            steps.append(i == 0 ? "" : ",")
                    .append(
                            "{\"ordinal\":%d,\"role\":\"%s\",\"verdict\":\"%s\",\"retry\":%s,\"recovered\":true,\"reason\":%s}"
                                    .formatted(
                                            i,
                                            s.role(),
                                            s.verdict(),
                                            s.retry(),
                                            s.reason() == null ? "null" : "\"" + s.reason() + "\""));
        }
        results.insert("""
                update trial set end_facts = end_facts || :found::jsonb where external_id = :trial returning trial_id
                """, Map.of("trial", trial, "found", """
                {"search":{"objective":{"quantile":0.99,"responseMs":250,"success":1,"achieved":0.99},
                  "maxRate":985.8,"lowRate":965.2,"highRate":1011.9,"confirmed":true,"resolved":true,
                  "why":"1015/s failed; 986/s was confirmed (1 of 1)","criticalRate":null,
                  "bounds":[{"excessMs":10,"rate":492.9},{"excessMs":25,"rate":800},{"excessMs":50,"rate":985.8},{"excessMs":1,"rate":null}],
                  "steps":[%s]},
                 "steady":{"criterion":"warm/1","verdict":"no_steady_state","warmupMs":null,"drift":null,"phases":[
                  {"phase":"warmup","atNs":2500000000,"seconds":8.0,"met":false,"unmet":["the JIT compiled for 0.61 s in the last 15 s"]},
                  {"phase":"settle","atNs":10600000000,"seconds":1.4,"met":true,"unmet":[]}]}}
                """.formatted(steps)));
    }

    private void insert(String trial, int ordinal, Step step) {
        Histogram histogram = new Histogram(1, 300 * SECOND, 3);
        histogram.recordValueWithCount((long) (step.p50() * 1e6), 980);
        histogram.recordValueWithCount((long) (step.p99() * 1e6), 20);
        results.insert(
                """
                insert into step (workspace_id, trial_id, ordinal, rate, start_ns, end_ns, offered, sent, completed, failed, unfinished, validity, health, outcomes, percentiles, service, response, lag)
                select workspace_id, trial_id, :ordinal, :rate, :from, :to, 1000, 1000, 1000, 0, 0, 'valid',
                       '{"validity":"valid","lagP50Ns":21000,"lagP99Ns":140000,"lagMaxNs":1900000,"achievedRatio":1.0,"cpuShare":0.22,"portErrors":0}',
                       '{"statusCodes":{"200":1000},"errors":[],"bytesIn":2000,"bytesOut":0,"secondHalfPerSecond":300.0}',
                       jsonb_build_object('service', '{}'::jsonb, 'response', jsonb_build_object(
                         'p50', jsonb_build_object('nanos', :p50, 'eligible', true, 'reason', null),
                         'p99', jsonb_build_object('nanos', :p99, 'eligible', true, 'reason', null))), :hdr, :hdr, :hdr
                  from trial where external_id = :trial
                on conflict (trial_id, ordinal) do update set rate = excluded.rate, percentiles = excluded.percentiles,
                       response = excluded.response
                returning step_id
                """,
                Results.bind(
                        "trial",
                        trial,
                        "ordinal",
                        ordinal,
                        "rate",
                        step.rate(),
                        "from",
                        (12 + ordinal) * SECOND,
                        "to",
                        (13 + ordinal) * SECOND,
                        "p50",
                        (long) (step.p50() * 1e6),
                        "p99",
                        (long) (step.p99() * 1e6),
                        "hdr",
                        encode(histogram)));
    }

    private static byte[] encode(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Arrays.copyOf(buffer.array(), length);
    }
}
