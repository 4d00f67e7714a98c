package dev.loomboard.generate;

import dev.loomboard.kernel.Digest;
import dev.loomboard.measurement.Phase;
import dev.loomboard.stats.latency.Latencies;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.apache.commons.statistics.distribution.NormalDistribution;

/** What an agent would have uploaded of the newest trials: a batch, phases, seconds with histograms, a step, samples. */
final class GeneratedRawData {

    private static final long SECOND = 1_000_000_000L;
    private static final int WARM_FROM = 2;
    private static final int MEASURE_FROM = 10;
    private static final int END = 22;
    private static final int TICKS = END + 1;
    private static final int RATE = 1000;
    private static final double MIB = 1024 * 1024;
    /** Each stands for as many hits. */
    private static final int QUANTILES = 100;

    private static final double Z99 = NormalDistribution.of(0, 1).inverseCumulativeProbability(0.99);
    private static final double[] Z = z();
    /** How late hits were sent: the same in each second. */
    private static final byte[] LAG =
            Latencies.of(new long[] {40_000, 60_000, 90_000, 400_000}, RATE / 4).encode();

    private final Connection connection;
    private final int seed;

    GeneratedRawData(Connection connection, int seed) {
        this.connection = connection;
        this.seed = seed;
    }

    /**
     * @param p50 of the response excess, in ms, as p99
     * @param cpu µs per request
     * @param rss MiB
     */
    private record Trial(long id, double delay, double p50, double p99, double cpu, double rss) {}

    /** @return trials */
    long put() throws SQLException {
        long trials = 0;
        try (Statement query = connection.createStatement();
                RawDataInserts rows = new RawDataInserts(connection)) {
            query.setFetchSize(500);
            try (ResultSet found = query.executeQuery("""
                    select t.trial_id, c.declared_delay_ms, v[1], v[2], v[3], v[4]
                      from measured q join cell c using (cell_id) join trial t using (cell_id) cross join size
                     cross join lateral (select pg_temp.values_of(t.trial_id, q.ln_p50, q.ln_p99, q.ln_cpu, q.ln_rss, size.seed) as v offset 0) of_trial
                     where q.raw order by t.trial_id
                    """)) {
                while (found.next()) {
                    put(
                            rows,
                            new Trial(
                                    found.getLong(1),
                                    found.getDouble(2),
                                    found.getDouble(3),
                                    found.getDouble(4),
                                    found.getDouble(5),
                                    found.getDouble(6)));
                    trials++;
                }
            }
        }
        return trials;
    }

    private void put(RawDataInserts rows, Trial trial) throws SQLException {
        Random random = new Random(seed * 31L + trial.id());
        rows.batch(
                trial.id(),
                Digest.sha256(
                        ByteBuffer.allocate(Long.BYTES).putLong(trial.id()).array()));
        rows.phase(trial.id(), 0, Phase.START);
        rows.phase(trial.id(), WARM_FROM * SECOND, Phase.WARMUP);
        rows.phase(trial.id(), MEASURE_FROM * SECOND, Phase.MEASURE);
        rows.phase(trial.id(), END * SECOND, Phase.STOP);
        Latencies responses = Latencies.none();
        Latencies services = Latencies.none();
        Latencies excesses = Latencies.none();
        for (int second = WARM_FROM; second < END; second++) {
            boolean measured = second >= MEASURE_FROM;
            double warm = measured ? 1 : 1 + 0.1 * (MEASURE_FROM - second);
            double level = warm * Math.exp(0.02 * random.nextGaussian());
            Latencies response = second(trial, trial.delay(), level);
            Latencies service = second(trial, trial.delay(), level * 0.97);
            rows.window(trial.id(), second * SECOND, measured ? Phase.MEASURE : Phase.WARMUP, response, service, LAG);
            if (measured) {
                responses = responses.plus(response);
                services = services.plus(service);
                excesses = excesses.plus(second(trial, 0, level));
            }
        }
        rows.step(
                trial.id(),
                MEASURE_FROM * SECOND,
                END * SECOND,
                responses.encode(),
                services.encode(),
                excesses.encode(),
                LAG);
        samples(rows, trial, random);
        rows.flush();
    }

    /** A lognormal excess with the trial's median and p99, scaled, over a delay in ms. */
    private static Latencies second(Trial trial, double delay, double level) {
        double spread = Math.log(trial.p99() / trial.p50()) / Z99;
        double median = level * trial.p50();
        return Latencies.of(
                Arrays.stream(Z)
                        .mapToLong(z -> (long) ((delay + median * Math.exp(spread * z)) * 1e6))
                        .toArray(),
                RATE / QUANTILES);
    }

    private static void samples(RawDataInserts rows, Trial trial, Random random) throws SQLException {
        IntToDoubleFunction memory = tick -> trial.rss() * MIB * (1 - 0.01 * random.nextDouble());
        double cores = trial.cpu() * RATE / 1e6;
        rows.samples(trial.id(), "proc.cpu_user_s", TICKS, tick -> tick * cores * 0.8);
        rows.samples(trial.id(), "proc.cpu_sys_s", TICKS, tick -> tick * cores * 0.2);
        rows.samples(trial.id(), "proc.rss_bytes", TICKS, memory);
        rows.samples(trial.id(), "jvm.threads_live", TICKS, tick -> 40);
        rows.samples(trial.id(), "jvm.gc_count", TICKS, tick -> Math.floor(tick * 0.3));
        rows.samples(trial.id(), "jvm.gc_pause_s", TICKS, tick -> tick * 0.0011);
    }

    private static double[] z() {
        double[] z = new double[QUANTILES];
        for (int i = 0; i < QUANTILES; i++) {
            z[i] = NormalDistribution.of(0, 1).inverseCumulativeProbability((i + 0.5) / QUANTILES);
        }
        return z;
    }
}
