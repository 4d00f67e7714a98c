package dev.loomboard.rollup;

import java.util.stream.Stream;

/** The sampled metrics that a trial's numbers are made of. A roll-up reads these and no other. */
public enum SampledMetric {
    CPU("proc.cpu_s"),
    CPU_USER("proc.cpu_user_s"),
    CPU_SYSTEM("proc.cpu_sys_s"),
    RESIDENT("proc.rss_bytes"),
    THREADS("jvm.threads_live"),
    GC_COUNT("jvm.gc_count"),
    GC_PAUSE("jvm.gc_pause_s"),
    SAFEPOINT_COUNT("jvm.safepoint_count"),
    SAFEPOINT_STOP("jvm.safepoint_stop_s"),
    SAFEPOINT_REACHING("jvm.safepoint_ttsp_s"),
    JIT_TIME("jvm.jit_time_s");

    private final String metric;

    SampledMetric(String metric) {
        this.metric = metric;
    }

    /** Its name in the catalogue, by which samples are stored. */
    String metric() {
        return metric;
    }

    /** Of all. */
    public static String[] metrics() {
        return Stream.of(values()).map(SampledMetric::metric).toArray(String[]::new);
    }
}
