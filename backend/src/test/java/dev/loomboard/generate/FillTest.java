package dev.loomboard.generate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cli.Commands;
import dev.loomboard.database.DatabaseUrl;
import dev.loomboard.kit.OneAtATime;
import dev.loomboard.kit.StoreTest;
import dev.loomboard.kit.TestDatabases;
import dev.loomboard.stats.Mean;
import dev.loomboard.stats.Scale;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A small database of the generator's, with two nights of raw record. */
@OneAtATime
final class FillTest extends StoreTest {

    private static final List<String> SMALL = List.of("--series=200", "--points=60", "--trials=5", "--raw=250");
    private static final String KEPT = """
            select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated
              from pg_constraint where connamespace = 'public'::regnamespace
            union all
            select indexdef from pg_indexes where schemaname = 'public'
            union all
            select 'trigger ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
            order by 1
            """;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private List<String> schema = List.of();
    private int exit;

    @BeforeAll
    void fill() {
        schema = texts(KEPT);
        exit = fill(url, SMALL);
    }

    @Test
    void sizes_are_those_asked_for() {
        assertThat(exit).as(said()).isZero();
        assertThat(number("select count(*) from series where metric in " + FOUR))
                .isEqualTo(200);
        assertThat(texts("""
                select distinct count(*)::text from point join series using (series_id) where metric in %s group by series_id
                """.formatted(FOUR))).containsExactly("60");
        assertThat(number("select count(*) from trial")).isEqualTo(15000);
        assertThat(number("select count(*) from step")).isEqualTo(15000);
        assertThat(number("select count(distinct trial_id) from trial_metric")).isEqualTo(15000);
        assertThat(number("select count(distinct trial_id) from load_window")).isEqualTo(250);
        assertThat(number("select count(*) from step where length(service) > 0"))
                .isEqualTo(250);
    }

    private static final String FOUR =
            "('response_excess_p50_ms', 'response_excess_p99_ms', 'cpu_us_per_request', 'rss_mib')";

    @Test
    void constraints_indexes_and_triggers_are_as_before() {
        assertThat(texts(KEPT)).isNotEmpty().isEqualTo(schema);
    }

    @Test
    void it_is_as_varied_as_what_is_measured() {
        assertThat(texts("select distinct visibility from run order by 1")).containsExactly("private", "public");
        assertThat(texts("select distinct standing from leaderboard_entry order by 1"))
                .contains("provisional");
        assertThat(texts("select distinct verdict from comparison order by 1"))
                .containsExactly("equivalent", "faster", "inconclusive", "slower");
        assertThat(number("select count(*) from comparison where blocks is null"))
                .isZero();
        assertThat(number("select count(*) from leaderboard_entry")).isGreaterThan(500);
        assertThat(number("select count(distinct jdk_build_id) from point")).isEqualTo(8 + 9 + 6 + 40);
    }

    @Test
    void a_leaderboard_has_what_it_ranks_by_and_ranks_that_the_service_made() {
        assertThat(texts("select distinct coalesce(headline, 'none') from leaderboard_entry"))
                .containsExactly("response_p99_ms");
        assertThat(number("select count(*) from leaderboard_entry where framework is null"))
                .isZero();
        assertThat(number(
                        "select count(*) from leaderboard_entry where not metrics ?& array['response_p50_ms', 'response_p99_ms',"
                                + " 'response_p999_ms', 'throughput_per_core']"))
                .isZero();
        assertThat(number("select count(*) from leaderboard_entry where headline = 'response_p99_ms'"
                        + " and abs((metrics -> 'response_p99_ms' ->> 'mean')::float8 - (metrics -> 'response_excess_p99_ms' ->> 'mean')::float8"
                        + " - substring(scenario_key from 'delayMs=([0-9]+)')::float8) > 1"
                        + " and scenario_key like '%delayMs=%'"))
                .as("a response is the delay and the excess")
                .isZero();
        assertThat(number("select count(distinct scenario_key || class_hash || visibility) from leaderboard_entry"))
                .isEqualTo(number("select count(distinct scenario_key || class_hash || visibility)"
                        + " from leaderboard_entry join leaderboard_rank using (leaderboard_entry_id)"));
        assertThat(number("select max(worst) from leaderboard_rank")).isGreaterThan(100);
    }

    @Test
    void a_point_is_the_mean_of_its_trials() {
        String point =
                "from point p join series s using (series_id) where s.metric = 'cpu_us_per_request' order by point_id limit 1";
        List<Double> values = texts("select unnest(p.trial_values)::text from (select p.* " + point + ") p").stream()
                .map(Double::valueOf)
                .toList();
        Mean mean = Mean.of(Scale.LN, values).orElseThrow();
        List<String> stored =
                texts("select unnest(array[p.mean, p.low, p.high])::text from (select p.* " + point + ") p");
        assertThat(Double.parseDouble(stored.get(0))).isCloseTo(mean.mean(), within(mean.mean()));
        assertThat(Double.parseDouble(stored.get(1)))
                .isCloseTo(Objects.requireNonNull(mean.low()), within(mean.mean()));
        assertThat(Double.parseDouble(stored.get(2)))
                .isCloseTo(Objects.requireNonNull(mean.high()), within(mean.mean()));
    }

    private static org.assertj.core.data.Offset<Double> within(double of) {
        return org.assertj.core.data.Offset.offset(of * 1e-9);
    }

    @Test
    void the_newest_nights_can_be_made_again_to_the_last_bit() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, UTF_8);
        assertThat(Commands.run(List.of("verify-rollups"), stream, stream, setting(url)))
                .as(out.toString(UTF_8))
                .isZero();
        assertThat(out.toString(UTF_8))
                .contains("of 3 runs recomputed: all the same")
                .contains("177 runs hold summaries alone");
    }

    @Test
    void what_is_in_use_is_refused() {
        long before = number("select count(*) from trial");
        assertThat(fill(url, SMALL)).isEqualTo(1);
        assertThat(said()).contains("holds machines, builds or runs already");
        assertThat(number("select count(*) from trial")).isEqualTo(before);
    }

    @Test
    void wrong_options_are_refused_by_name() {
        assertThat(fill(url, List.of("--series=50"))).isEqualTo(2);
        assertThat(fill(url, List.of("--nights=50"))).isEqualTo(2);
        assertThat(said())
                .contains("--series must be a multiple of 40, is 50")
                .contains("--nights=50 is not an option");
    }

    @Test
    void the_same_seed_gives_the_same_numbers() {
        assertThat(small("1")).isEqualTo(small("1")).isNotEqualTo(small("2"));
    }

    private String small(String seed) {
        DatabaseUrl other = TestDatabases.fresh();
        try {
            assertThat(fill(other, List.of("--series=40", "--points=4", "--trials=2", "--raw=0", "--seed=" + seed)))
                    .as(said())
                    .isZero();
            return checksum(other);
        } finally {
            TestDatabases.drop(other);
        }
    }

    private static String checksum(DatabaseUrl of) {
        try (var connection = java.sql.DriverManager.getConnection(of.jdbc(), of.user(), of.password());
                var statement = connection.createStatement();
                var rows = statement.executeQuery(
                        "select md5(string_agg(value::text, ',' order by trial_id, metric)) from trial_metric")) {
            rows.next();
            return rows.getString(1);
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private int fill(DatabaseUrl into, List<String> arguments) {
        PrintStream stream = new PrintStream(said, true, UTF_8);
        return Commands.run(
                Stream.concat(Stream.of("fill"), arguments.stream()).toList(), stream, stream, setting(into));
    }

    private String said() {
        return said.toString(UTF_8);
    }

    private static String setting(DatabaseUrl of) {
        return "--loomboard.database.url=postgresql://%s:%s@%s:%d/%s"
                .formatted(of.user(), of.password(), of.host(), of.port(), of.database());
    }

    private List<String> texts(String sql) {
        return await(database.sql(sql)
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .all()
                .collectList());
    }
}
