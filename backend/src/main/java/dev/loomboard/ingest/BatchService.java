package dev.loomboard.ingest;

import dev.loomboard.cell.RunState;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.limits.BackgroundWork;
import dev.loomboard.measurement.Batch;
import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.measurement.TrialStart;
import dev.loomboard.quota.QuotaService;
import dev.loomboard.recompute.RecomputeService;
import dev.loomboard.web.Problem;
import dev.loomboard.web.ReceivedBody;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

/** Takes uploads: reads a batch, stores it whole in one transaction or not at all. */
@Service
public class BatchService {

    /** If more batches than this wait to be read, a sender gets 503. The heap that they hold is bounded before: RequestBodyFilter. */
    private static final int WAITING = 100;

    private final BatchReader reader;
    private final BatchStore batches;
    private final OperationUploadStore operations;
    private final TrialProgressStore trials;
    private final PlausibilityService plausibility;
    private final RecomputeService rollup;
    private final QuotaService quotas;
    private final TransactionalOperator transaction;
    private final Clock clock;
    private final JsonMapper json;
    /** Reading is work: a full batch takes a core for a second. */
    private final Scheduler readers = Schedulers.newBoundedElastic(BackgroundWork.THREADS, WAITING, "ingest", 60, true);

    BatchService(
            BatchStore batches,
            OperationUploadStore operations,
            TrialProgressStore trials,
            PlausibilityService plausibility,
            RecomputeService rollup,
            QuotaService quotas,
            TransactionalOperator transaction,
            Clock clock,
            JsonMapper json) {
        this.reader = new BatchReader(json);
        this.batches = batches;
        this.operations = operations;
        this.trials = trials;
        this.plausibility = plausibility;
        this.rollup = rollup;
        this.quotas = quotas;
        this.transaction = transaction;
        this.clock = clock;
        this.json = json;
    }

    /**
     * Completes once the batch is committed, now or before.
     *
     * @param skew agent's clock minus ours as the request came; null: unknown
     */
    Mono<Void> put(MachineId machine, String trialId, String seq, @Nullable Duration skew, ReceivedBody body) {
        return Mono.fromCallable(() -> reader.read(trialId, seq, body))
                .subscribeOn(readers)
                .flatMap(reading -> switch (reading) {
                    case BatchReader.Refused refused ->
                        Mono.<Void>error(refused.problem().asException());
                    case BatchReader.Sound sound -> admit(machine, sound, skew).as(transaction::transactional);
                });
    }

    /**
     * Stores a batch of a trial that comes with a whole run, as {@link #put} would. To be called in the transaction that makes the run,
     * and that counts the bytes.
     *
     * @param late the trial's data came under a superseded lease
     * @param skew as of {@code put}
     */
    public Mono<Void> putImported(String trialId, BatchReader.Sound sound, boolean late, @Nullable Duration skew) {
        return batches.trial(trialId, sound.batch().seq()).flatMap(trial -> switch (Admission.of(
                new Admission.Run(0, trial.fencing(), RunState.RUNNING), trial, sound)) {
            case Admission.Again again -> Mono.<Void>empty();
            case Admission.Never never -> Mono.<Void>error(never.problem().asException());
            case Admission.Store store -> content(trial, sound, late, skew);
        });
    }

    /**
     * Ends a trial whose last batch was put by {@link #putImported}; its numbers are made with its run's.
     *
     * @param at when it came
     */
    public Mono<Void> endImported(long trial, Instant at) {
        return trials.progress(trial)
                .then(Mono.defer(() -> trials.seal(trial, at)))
                .filter(ended -> ended)
                .flatMap(ended -> plausibility.judge(trial));
    }

    private Mono<Void> admit(MachineId machine, BatchReader.Sound sound, @Nullable Duration skew) {
        Batch batch = sound.batch();
        return batches.lockRun(machine, batch.trialId())
                .switchIfEmpty(Mono.error(
                        () -> Problem.gone("unknown-trial", "This machine has no trial " + batch.trialId() + ".")
                                .asException()))
                .flatMap(run -> batches.trial(batch.trialId(), batch.seq()).flatMap(trial -> switch (Admission.of(
                        run, trial, sound)) {
                    case Admission.Again again -> Mono.<Void>empty();
                    case Admission.Never never ->
                        Mono.<Void>error(never.problem().asException());
                    case Admission.Store store ->
                        quotas.counted(
                                trial.workspace(),
                                sound.stored().all(),
                                Mono.defer(() -> store(trial, sound, store, skew)));
                }));
    }

    private Mono<Void> store(
            Admission.Trial trial, BatchReader.Sound sound, Admission.Store how, @Nullable Duration skew) {
        long key = trial.key();
        Mono<Void> content = content(trial, sound, how.late(), skew);
        if (how.late()) {
            return content.then(Mono.defer(() -> trials.markLate(key)));
        }
        Instant now = clock.instant();
        // A batch that tells of no phase moves none, and its trial is not written.
        Mono<Void> progressed = trial.planned() || !sound.batch().phases().isEmpty()
                ? content.then(Mono.defer(() -> trials.progress(key)))
                : content;
        return how.completes()
                ? progressed
                        .then(Mono.defer(() -> trials.seal(key, now)))
                        .filter(ended -> ended)
                        .flatMap(ended -> plausibility.judge(key).then(rollup.trialEnded(key)))
                : progressed;
    }

    private Mono<Void> content(Admission.Trial trial, BatchReader.Sound sound, boolean late, @Nullable Duration skew) {
        Batch batch = sound.batch();
        return batches.add(trial.key(), sound, late)
                .flatMap(added -> all("windows", added, batch.windows().size()))
                .then(Mono.defer(() -> facts(trial.key(), batch, skew)))
                .then(Mono.defer(() -> phasesAndSteps(trial, batch)));
    }

    private Mono<Void> facts(long trial, Batch batch, @Nullable Duration skew) {
        TrialStart start = batch.start();
        TrialEnd end = batch.end();
        Mono<Void> started =
                start == null ? Mono.empty() : trials.start(trial, start, skew == null ? null : (Long) skew.toNanos());
        return end == null ? started : started.then(Mono.defer(() -> trials.end(trial, end)));
    }

    private Mono<Void> phasesAndSteps(Admission.Trial trial, Batch batch) {
        Mono<Void> phases = batch.phases().isEmpty() ? Mono.empty() : batches.addPhases(trial.key(), batch.phases());
        Mono<Void> steps = batch.steps().isEmpty()
                ? Mono.empty()
                : batches.addSteps(trial, batch.steps(), json::writeValueAsString)
                        .flatMap(added -> all("steps", added, batch.steps().size()))
                        .then(Mono.defer(() -> operations.add(trial.key(), batch.steps(), json::writeValueAsString)));
        return phases.then(steps);
    }

    private static Mono<Void> all(String field, long added, int given) {
        return added == given
                ? Mono.empty()
                : Mono.error(Problem.invalid(field, "has what another batch of the trial has already")
                        .asException());
    }
}
