package dev.loomboard.bundle;

import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.kernel.WireName;
import dev.loomboard.limits.BackgroundWork;
import dev.loomboard.measurement.Batch;
import dev.loomboard.measurement.EncodedHistogram;
import dev.loomboard.measurement.MixOperation;
import dev.loomboard.measurement.Phase;
import dev.loomboard.measurement.SentBy;
import dev.loomboard.measurement.Step;
import dev.loomboard.measurement.StoredJson;
import dev.loomboard.measurement.Ticks;
import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.measurement.TrialStart;
import dev.loomboard.measurement.Window;
import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;

/**
 * Makes the batches of a trial again of what is stored of them. Which batch a second of load, a step or a phase came with is not kept;
 * how many of each is: they are dealt out in their order, and samples come with their own.
 */
@Repository
class BundleTrialStore {

    private static final int MOST_WINDOWS = 2000;
    private static final int MOST_STEPS = 500;
    private static final int MOST_PHASES = 5000;
    private static final TypeReference<List<Step.ErrorClass>> ERRORS = new TypeReference<>() {};

    private final DatabaseClient database;

    BundleTrialStore(DatabaseClient database) {
        this.database = database;
    }

    /** A batch, and where what it has begins among all of the trial. */
    record Share(int seq, long windowsFrom, int windows, long stepsFrom, int steps, long phasesFrom, int phases) {}

    /** Of batches that were stored before this was counted, as many as one may have. By batch_pk. */
    Flux<Share> shares(long trial) {
        return database.sql("""
                        with counted as (
                          select seq, coalesce(windows, :windows)::int as windows, coalesce(steps, :steps)::int as steps,
                                 coalesce(phases, :phases)::int as phases
                            from batch where trial_id = :trial)
                        select seq, windows, steps, phases,
                               (sum(windows) over (order by seq) - windows)::bigint as windows_from,
                               (sum(steps) over (order by seq) - steps)::bigint as steps_from,
                               (sum(phases) over (order by seq) - phases)::bigint as phases_from
                          from counted order by seq
                        """)
                .bind("windows", MOST_WINDOWS)
                .bind("steps", MOST_STEPS)
                .bind("phases", MOST_PHASES)
                .bind("trial", trial)
                .map(row -> new Share(
                        whole(row, "seq"),
                        number(row, "windows_from"),
                        whole(row, "windows"),
                        number(row, "steps_from"),
                        whole(row, "steps"),
                        number(row, "phases_from"),
                        whole(row, "phases")))
                .all();
    }

    private record Facts(
            @Nullable TrialStart start, @Nullable TrialEnd end) {}

    /** @param id by which the batch names its trial */
    Mono<Batch> batch(long trial, String id, long fencing, Share share) {
        return Mono.zip(
                        facts(trial, share.seq()),
                        phases(trial, share),
                        ticks(trial, share.seq()),
                        windows(trial, share),
                        steps(trial, share),
                        operations(trial, share))
                // Each histogram is read through: not on a thread that serves connections.
                .publishOn(BackgroundWork.threads())
                .map(parts -> new Batch(
                        Batch.SCHEMA,
                        id,
                        fencing,
                        share.seq(),
                        parts.getT1().start(),
                        parts.getT2(),
                        parts.getT3().orElse(null),
                        parts.getT4().stream().map(Supplier::get).toList(),
                        parts.getT5().stream()
                                .map(step -> step.apply(parts.getT6()))
                                .toList(),
                        parts.getT1().end()));
    }

    /** By trial_pk. */
    private Mono<Facts> facts(long trial, int seq) {
        return database.sql("""
                        select case when :seq = 0 and start_facts <> '{}' then start_facts::text end as start_facts,
                               case when (end_facts ->> 'batches')::int = :seq + 1 then end_facts::text end as end_facts
                          from trial where trial_id = :trial
                        """)
                .bind("trial", trial)
                .bind("seq", seq)
                .map(row -> {
                    String start = textOrNull(row, "start_facts");
                    String end = textOrNull(row, "end_facts");
                    return new Facts(
                            start == null ? null : StoredJson.read(start, TrialStart.class),
                            end == null ? null : StoredJson.read(end, TrialEnd.class));
                })
                .one();
    }

    /** By trial_phase_pk. */
    private Mono<List<Batch.PhaseEntry>> phases(long trial, Share share) {
        return database.sql("""
                        select at_ns, phase from trial_phase where trial_id = :trial
                         order by at_ns, phase collate "C" offset :from limit :most
                        """)
                .bind("trial", trial)
                .bind("from", share.phasesFrom())
                .bind("most", share.phases())
                .map(row -> new Batch.PhaseEntry(WireName.of(Phase.class, text(row, "phase")), number(row, "at_ns")))
                .all()
                .collectList();
    }

    private record Samples(
            String metric, Long[] at, @Nullable Double[] values) {}

    /** How late each was is not kept. By sample_chunk_pk. */
    private Mono<Optional<Ticks>> ticks(long trial, int seq) {
        return database.sql("""
                        select metric, at_ns, value from sample_chunk
                         where trial_id = :trial and seq = :seq order by metric collate "C" limit 1000
                        """)
                .bind("trial", trial)
                .bind("seq", seq)
                .map(row -> new Samples(
                        text(row, "metric"),
                        Objects.requireNonNull(row.get("at_ns", Long[].class)),
                        Objects.requireNonNull(row.get("value", Double[].class))))
                .all()
                .collectList()
                .map(BundleTrialStore::ticks);
    }

    private static Optional<Ticks> ticks(List<Samples> columns) {
        if (columns.isEmpty()) {
            return Optional.empty();
        }
        Map<String, List<@Nullable Double>> values = new TreeMap<>();
        columns.forEach(column -> values.put(column.metric(), Arrays.asList(column.values())));
        return Optional.of(new Ticks(List.of(columns.getFirst().at()), null, values));
    }

    /** By load_window_pk. */
    private Mono<List<Supplier<Window>>> windows(long trial, Share share) {
        return database.sql("""
                        select phase, step, at_ns, intended, sent, completed, failed, service, service_failed, response, response_failed,
                               excess, below_delay, lag
                          from load_window where trial_id = :trial order by at_ns offset :from limit :most
                        """)
                .bind("trial", trial)
                .bind("from", share.windowsFrom())
                .bind("most", share.windows())
                .map(BundleTrialStore::window)
                .all()
                .collectList();
    }

    private static Supplier<Window> window(Readable row) {
        Phase phase = WireName.of(Phase.class, text(row, "phase"));
        int step = whole(row, "step");
        long at = number(row, "at_ns");
        long intended = number(row, "intended");
        long sent = number(row, "sent");
        long completed = number(row, "completed");
        long failed = number(row, "failed");
        Histograms of = Histograms.of(row);
        Long belowDelay = row.get("below_delay", Long.class);
        return () -> new Window(
                phase, step, at, intended, sent, completed, failed, of.times(belowDelay), encodedOrNull(of.lag()));
    }

    /** By step_ordinal_uq. */
    private Mono<List<Function<Map<Integer, List<Supplier<MixOperation>>>, Step>>> steps(long trial, Share share) {
        return database.sql("""
                        select ordinal, rate, connections, start_ns, end_ns, offered, sent, completed, failed, unfinished,
                               health::text as health, outcomes::text as outcomes, transport, http,
                               service, service_failed, response, response_failed, excess, below_delay, lag
                          from step where trial_id = :trial order by ordinal offset :from limit :most
                        """)
                .bind("trial", trial)
                .bind("from", share.stepsFrom())
                .bind("most", share.steps())
                .map(BundleTrialStore::step)
                .all()
                .collectList();
    }

    private static Function<Map<Integer, List<Supplier<MixOperation>>>, Step> step(Readable row) {
        int ordinal = whole(row, "ordinal");
        Double rate = row.get("rate", Double.class);
        Integer connections = row.get("connections", Integer.class);
        long start = number(row, "start_ns");
        long end = number(row, "end_ns");
        Step.Counts counts = counts(row);
        Step.Outcomes outcomes = StoredJson.read(text(row, "outcomes"), Step.Outcomes.class);
        Step.Health health = StoredJson.read(text(row, "health"), Step.Health.class);
        Histograms of = Histograms.of(row);
        Long belowDelay = row.get("below_delay", Long.class);
        SentBy sentBy = sentBy(textOrNull(row, "transport"), textOrNull(row, "http"));
        return operations -> new Step(
                ordinal,
                rate,
                connections,
                start,
                end,
                counts,
                outcomes,
                health,
                of.times(belowDelay),
                encodedOrNull(of.lag()),
                sentBy,
                ofMix(operations.getOrDefault(ordinal, List.of())));
    }

    /** A step of another workload has none, which is to leave them out: an empty list is refused. */
    @SuppressWarnings("NullAway")
    private static List<MixOperation> ofMix(List<Supplier<MixOperation>> operations) {
        return operations.isEmpty()
                ? null
                : operations.stream().map(Supplier::get).toList();
    }

    /** Those of the mixes of a batch's steps, by the step's ordinal. By step_ordinal_uq and step_operation_pk. */
    private Mono<Map<Integer, List<Supplier<MixOperation>>>> operations(long trial, Share share) {
        return database.sql("""
                        select o.step, o.operation, o.weight, o.offered, o.sent, o.completed, o.failed, o.unfinished, o.completed_in_step,
                               o.errors::text as errors, o.service, o.service_failed, o.response, o.response_failed, o.excess,
                               null::bytea as lag, o.below_delay
                          from (select s.ordinal from step s where s.trial_id = :trial order by s.ordinal offset :from limit :most) s
                          join step_operation o on o.trial_id = :trial and o.step = s.ordinal
                         order by o.step, o.operation collate "C"
                        """)
                .bind("trial", trial)
                .bind("from", share.stepsFrom())
                .bind("most", share.steps())
                .map(row -> Map.entry(whole(row, "step"), operation(row)))
                .all()
                .collect(
                        TreeMap::new,
                        (all, one) -> all.computeIfAbsent(one.getKey(), step -> new ArrayList<>())
                                .add(one.getValue()));
    }

    private static Supplier<MixOperation> operation(Readable row) {
        String name = text(row, "operation");
        int weight = whole(row, "weight");
        Step.Counts counts = counts(row);
        long inStep = number(row, "completed_in_step");
        List<Step.ErrorClass> errors = StoredJson.read(text(row, "errors"), ERRORS);
        Histograms of = Histograms.of(row);
        Long belowDelay = row.get("below_delay", Long.class);
        return () -> new MixOperation(name, weight, counts, inStep, errors, of.times(belowDelay));
    }

    private static Step.Counts counts(Readable row) {
        return new Step.Counts(
                number(row, "offered"),
                number(row, "sent"),
                number(row, "completed"),
                number(row, "failed"),
                number(row, "unfinished"));
    }

    private static @Nullable SentBy sentBy(@Nullable String transport, @Nullable String http) {
        return transport == null || http == null
                ? null
                : new SentBy(WireName.of(SentBy.Transport.class, transport), WireName.of(SentBy.Http.class, http));
    }

    /** As they are stored. */
    private record Histograms(
            byte[] service,
            byte @Nullable [] serviceFailed,
            byte @Nullable [] response,
            byte @Nullable [] responseFailed,
            byte @Nullable [] excess,
            byte @Nullable [] lag) {
        Step.Times times(@Nullable Long belowDelay) {
            return new Step.Times(
                    encoded(service),
                    encodedOrNull(serviceFailed),
                    encodedOrNull(response),
                    encodedOrNull(responseFailed),
                    encodedOrNull(excess),
                    belowDelay);
        }

        static Histograms of(Readable row) {
            return new Histograms(
                    Objects.requireNonNull(row.get("service", byte[].class)),
                    row.get("service_failed", byte[].class),
                    row.get("response", byte[].class),
                    row.get("response_failed", byte[].class),
                    row.get("excess", byte[].class),
                    row.get("lag", byte[].class));
        }
    }

    private static EncodedHistogram encoded(byte[] stored) {
        return new EncodedHistogram(Base64.getEncoder().encodeToString(stored));
    }

    private static @Nullable EncodedHistogram encodedOrNull(byte @Nullable [] stored) {
        return stored == null ? null : encoded(stored);
    }
}
