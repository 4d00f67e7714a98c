package dev.loomboard.runimport;

import dev.loomboard.artefact.ArtefactStore;
import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.bundle.BundlePlacesService;
import dev.loomboard.bundle.BundleRefusal;
import dev.loomboard.bundle.BundleTrial;
import dev.loomboard.bundle.MemberNames;
import dev.loomboard.cell.Visibility;
import dev.loomboard.ingest.BatchReader;
import dev.loomboard.ingest.BatchService;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.matrix.MatrixStore;
import dev.loomboard.quota.QuotaKind;
import dev.loomboard.quota.QuotaService;
import dev.loomboard.recompute.RecomputeService;
import dev.loomboard.web.ProblemException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

/**
 * Takes a run that was measured elsewhere, whole or not at all: its file is read and checked to the end before anything is stored, then
 * one transaction stores all of it and makes its numbers, as if its batches had just come.
 */
@Service
class BundleImportService {

    /** Clocks are wrong, but not by days. */
    private static final Duration AHEAD = Duration.ofDays(1);

    private final BundleReader reader;
    private final ImportedRunService runs;
    private final ImportedTrialStore trialStore;
    private final MatrixStore matrices;
    private final BatchService batches;
    private final ArtefactStore artefacts;
    private final RecomputeService numbers;
    private final QuotaService quotas;
    private final AuditStore audit;
    private final BundlePlacesService places;
    private final TransactionalOperator transaction;
    private final Clock clock;

    BundleImportService(
            ImportedRunService runs,
            ImportedTrialStore trialStore,
            MatrixStore matrices,
            BatchService batches,
            ArtefactStore artefacts,
            RecomputeService numbers,
            QuotaService quotas,
            AuditStore audit,
            BundlePlacesService places,
            TransactionalOperator transaction,
            Clock clock,
            JsonMapper json) {
        this.reader = new BundleReader(json);
        this.runs = runs;
        this.trialStore = trialStore;
        this.matrices = matrices;
        this.batches = batches;
        this.artefacts = artefacts;
        this.numbers = numbers;
        this.quotas = quotas;
        this.audit = audit;
        this.places = places;
        this.transaction = transaction;
        this.clock = clock;
    }

    /**
     * Imports a bundle into a workspace, in which the caller has been found to may.
     *
     * @param actor external id of who imports it, for the audit log
     * @param visibility of its machine and matrix, where the workspace has none of them yet
     * @param file stays as it is
     */
    Mono<ImportResult> take(WorkspaceId workspace, String actor, Visibility visibility, Path file) {
        Mono<ImportResult> taken = Mono.usingWhen(
                work(() -> BundleFile.open(file)),
                bundle -> work(() -> reader.read(bundle))
                        .flatMap(sound -> refused(sound)
                                .switchIfEmpty(
                                        Mono.defer(() -> stored(workspace, actor, visibility, file, bundle, sound)))),
                bundle -> work(() -> {
                    bundle.close();
                    return true;
                }));
        return places.taking(taken)
                .onErrorResume(BundleRefusal.class, e -> Mono.just(new ImportResult.Refused(e.words())))
                .onErrorResume(Full.class, e -> Mono.just(new ImportResult.NoRoom(e.why)))
                .onErrorResume(
                        QuotaService::isRefusal,
                        e -> Mono.just(new ImportResult.NoRoom(
                                "the workspace has no room for the measurements of this run: some must go, or"
                                        + " an administrator allow more")));
    }

    private Mono<ImportResult> refused(BundleReader.Sound sound) {
        if (sound.run().course().times().finished().isAfter(clock.instant().plus(AHEAD))) {
            return Mono.just(new ImportResult.Refused("run.json course.times.finishedAt lies in the future"));
        }
        return matrices.protocolDiffers(sound.spec(), 0)
                .filter(differs -> differs)
                .map(differs ->
                        new ImportResult.Refused("its protocol " + sound.spec().protocol()
                                + " stands for other phases here: results of the two must not be compared"));
    }

    private Mono<ImportResult> stored(
            WorkspaceId workspace,
            String actor,
            Visibility visibility,
            Path file,
            BundleFile bundle,
            BundleReader.Sound sound) {
        return runs.present(workspace, sound.run().id())
                .cast(ImportResult.class)
                .switchIfEmpty(Mono.defer(() -> room(workspace)
                        .then(Mono.defer(() -> runs.add(workspace, actor, visibility, file, sound)))
                        .flatMap(added -> quotas.counted(
                                        workspace.value(),
                                        sound.storedBytes(),
                                        Mono.defer(() -> content(workspace, bundle, sound, added)))
                                .then(Mono.defer(() -> numbers(sound, added)))
                                .then(audit.append(new AuditEvent(
                                        workspace,
                                        actor,
                                        "run.import",
                                        added.id(),
                                        Map.of(
                                                "from",
                                                        sound.manifest()
                                                                .origin()
                                                                .service(),
                                                "run", sound.manifest().origin().run()))))
                                .thenReturn((ImportResult) new ImportResult.Imported(added.id())))))
                .as(transaction::transactional)
                .onErrorResume(
                        ImportedRunService.Meanwhile.class,
                        e -> runs.present(workspace, sound.run().id()).cast(ImportResult.class));
    }

    /** Of a matrix, which the import may add; nobody else of the workspace adds any meanwhile. */
    private Mono<Void> room(WorkspaceId workspace) {
        return quotas.full(workspace, QuotaKind.MATRICES).flatMap(full -> Mono.error(new Full(full.refusal())));
    }

    /** What trials sent, in order, and how each ended, in the order in which they did. */
    private Mono<Void> content(
            WorkspaceId workspace, BundleFile bundle, BundleReader.Sound sound, ImportedRunService.Added run) {
        bundle.again();
        List<BundleTrial> trials = sound.run().trials();
        List<Integer> asTheyEnded = IntStream.range(0, trials.size())
                .boxed()
                .sorted(Comparator.<Integer, Instant>comparing(
                                i -> trials.get(i).finished())
                        .thenComparing(i -> i))
                .toList();
        return Flux.range(0, trials.size())
                .concatMap(i -> trial(workspace, bundle, i + 1, trials.get(i), run), 1)
                .thenMany(Flux.fromIterable(asTheyEnded))
                .concatMap(
                        i -> sound.sealed().contains(i + 1)
                                ? batches.endImported(
                                        run.key(trials.get(i)), trials.get(i).finished())
                                : trialStore.abort(
                                        run.key(trials.get(i)), trials.get(i).end()),
                        1)
                .then(Mono.defer(() -> artefactRoom(workspace, sound.artefactBytes())));
    }

    private Mono<Void> trial(
            WorkspaceId workspace, BundleFile bundle, int number, BundleTrial trial, ImportedRunService.Added run) {
        Duration skew = skew(trial.skewNs());
        return Flux.fromIterable(trial.batches())
                .concatMap(
                        seq -> work(() -> batch(bundle, number, trial, seq))
                                .flatMap(sound -> batches.putImported(run.idOf(trial), sound, trial.late(), skew))
                                .onErrorMap(
                                        BundleImportService::isRefusal,
                                        e -> BundleRefusal.of(
                                                MemberNames.batch(number, seq),
                                                BundleReader.detail(((ProblemException) e).problem()))),
                        1)
                .thenMany(Flux.fromIterable(trial.artefacts()))
                .concatMap(
                        name -> work(() -> bundle.read(MemberNames.artefact(number, name)))
                                .map(content -> reader.artefact(name, content))
                                .flatMap(sound -> artefacts.add(
                                        new ArtefactStore.Trial(run.key(trial), workspace.value()), sound)),
                        1)
                .then();
    }

    private BatchReader.Sound batch(BundleFile bundle, int number, BundleTrial trial, int seq) {
        String name = MemberNames.batch(number, seq);
        return reader.batch(name, trial, seq, bundle.read(name));
    }

    private Mono<Void> artefactRoom(WorkspaceId workspace, long bytes) {
        return bytes == 0
                ? Mono.empty()
                : quotas.addArtefact(workspace, bytes).flatMap(full -> Mono.error(new Full(full.refusal())));
    }

    /** Those of trials whose samples are gone are made of what there is, and then stay. */
    private Mono<Void> numbers(BundleReader.Sound sound, ImportedRunService.Added run) {
        return numbers.recompute(run.key())
                .thenMany(Flux.fromIterable(sound.run().trials()))
                .concatMap(trial -> trial.samplesRemovedAt() == null
                        ? Mono.<Void>empty()
                        : trialStore.samplesRemoved(run.key(trial), trial.samplesRemovedAt()))
                .then();
    }

    /** Of what was sent; what is busy or away is another matter. */
    private static boolean isRefusal(Throwable error) {
        return error instanceof ProblemException refused && refused.problem().status() / 100 == 4;
    }

    private static @Nullable Duration skew(@Nullable Long nanos) {
        return nanos == null ? null : Duration.ofNanos(nanos);
    }

    private static <T> Mono<T> work(Callable<T> work) {
        return Mono.fromCallable(work).subscribeOn(Schedulers.boundedElastic());
    }

    /** Ends the transaction, so that nothing is left of it. */
    private static final class Full extends RuntimeException {
        private final String why;

        Full(String why) {
            super(why, null, false, false);
            this.why = why;
        }
    }
}
