package dev.loomboard.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Bench;
import dev.loomboard.kit.RollupTest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is read of a trial is bounded by what charts can show, however much of it is stored. */
final class ThinnedTrialTest extends RollupTest {

    private static final int TICKS = 6_001;
    private static final int SECONDS = 2_500;

    private final Bench bench = new Bench(database, "thin");
    private final Bench.Trial trial = bench.planned(bench.cell(bench.jdk("thin-25", 25, 1), "public"), "scored", 1, 1);

    @Test
    void long_series_are_thinned_without_hiding_a_peak() {
        // In batches of 700, so that points reach over their borders; at ten a second.
        for (String metric : List.of("proc.rss_bytes", "proc.cpu_user_s")) {
            execute("""
                    insert into sample_chunk (trial_id, metric, seq, at_ns, value)
                    select %d, '%s', i / 700, array_agg(i * 100000000::bigint order by i),
                           array_agg(case when '%2$s' = 'proc.cpu_user_s' then i * 0.05
                                          when i = 777 then 99 when i between 1100 and 1110 then null else 1 end order by i)
                      from generate_series(0, %d) i group by i / 700""".formatted(trial.id(), metric, TICKS - 1));
        }
        List<SampleSeries> series =
                await(trials.detail(trial.external(), ANYBODY)).measured().samples();
        SampleSeries cpu = series.getFirst();
        assertThat(cpu.metric()).isEqualTo("proc.cpu_user_s");
        assertThat(cpu.values()).hasSize(TICKS / 11 + 1).startsWith((Double) null);
        assertThat(cpu.values().subList(1, cpu.values().size()))
                .allSatisfy(rate -> assertThat(rate).isCloseTo(0.5, org.assertj.core.data.Offset.offset(1e-6)));
        SampleSeries rss = series.getLast();
        assertThat(rss.merged()).isEqualTo(11);
        assertThat(rss.seconds()).hasSizeLessThanOrEqualTo(TrialStore.MOST_POINTS);
        assertThat(rss.seconds().getFirst()).isEqualTo(1.0);
        assertThat(rss.seconds().getLast()).isEqualTo(600.0);
        assertThat(rss.values().get(70)).isEqualTo(99);
        assertThat(rss.values().get(100)).as("the point of ticks 1100 to 1110").isNull();
        assertThat(rss.values().get(101)).isEqualTo(1);
    }

    @Test
    void seconds_of_load_are_thinned_without_hiding_the_slowest_or_one_that_is_not_known() {
        execute("delete from load_window where trial_id = " + trial.id());
        execute("""
                insert into load_window (trial_id, at_ns, phase, step, intended, sent, completed, failed, service, response, lag,
                                         response_p50_ns, response_p99_ns, service_p50_ns, service_p99_ns)
                select %d, i * 1000000000::bigint, case when i < 100 then 'warmup' else 'measure' end, 0, 10, 10, 9, 1,
                       '\\x00', '\\x00', '\\x00', 1000000, case when i = 301 then null when i = 777 then 9000000 else 2000000 end,
                       null, null
                  from generate_series(0, %d) i""".formatted(trial.id(), SECONDS - 1));
        List<TrialDetail.Window> windows =
                await(trials.detail(trial.external(), ANYBODY)).measured().windows();
        assertThat(windows).hasSize(SECONDS / 3 + 1).hasSizeLessThanOrEqualTo(TrialStore.MOST_WINDOWS);
        assertThat(windows).allSatisfy(window -> assertThat(window.merged()).isEqualTo(3));
        TrialDetail.Window first = windows.getFirst();
        assertThat(first.intended()).isEqualTo(30);
        assertThat(first.failed()).isEqualTo(3);
        assertThat(first.phase().wire()).isEqualTo("warmup");
        assertThat(first.responseP50Ms()).isEqualTo(1);
        assertThat(first.responseP99Ms()).isEqualTo(2);
        assertThat(windows.get(1).seconds()).isEqualTo(3);
        assertThat(windows.get(259).responseP99Ms()).isEqualTo(9);
        assertThat(windows.get(100).responseP99Ms()).as("of seconds 300 to 302").isNull();
        assertThat(windows.get(100).responseP50Ms()).isEqualTo(1);
    }
}
