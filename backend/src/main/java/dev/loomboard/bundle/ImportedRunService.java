package dev.loomboard.bundle;

import dev.loomboard.cell.Visibility;
import dev.loomboard.expansion.Cell;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.kernel.Digest;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.run.RunCellStore;
import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.VerdictStore;
import dev.loomboard.visibility.CoverService;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Makes the rows of an imported run that its trials need: what it was, on which machine, with which cells and tests. */
@Service
class ImportedRunService {

    private final ImportedRunStore store;
    private final ImportedJdkStore jdks;
    private final RunCellStore cells;
    private final VerdictStore families;
    private final CoverService cover;
    private final Clock clock;

    ImportedRunService(
            ImportedRunStore store,
            ImportedJdkStore jdks,
            RunCellStore cells,
            VerdictStore families,
            CoverService cover,
            Clock clock) {
        this.store = store;
        this.jdks = jdks;
        this.cells = cells;
        this.families = families;
        this.cover = cover;
        this.clock = clock;
    }

    /**
     * A run as it is here.
     *
     * @param ids of its trials, by their ids where they were measured
     * @param keys of its trials, by their ids here
     */
    record Added(long key, String id, Map<String, String> ids, Map<String, Long> keys) {
        String idOf(BundleTrial trial) {
            return Objects.requireNonNull(ids.get(trial.id()));
        }

        long key(BundleTrial trial) {
            return Objects.requireNonNull(keys.get(idOf(trial)));
        }
    }

    /** Somebody else imported the run while this was under way: the transaction must leave nothing. */
    static final class Meanwhile extends RuntimeException {
        Meanwhile() {
            super("imported meanwhile", null, false, false);
        }
    }

    Mono<ImportResult.Present> present(WorkspaceId workspace, String originId) {
        return store.present(workspace, originId);
    }

    /** To be called in the import's transaction. */
    Mono<Added> add(WorkspaceId workspace, String actor, Visibility visibility, Path file, BundleReader.Sound sound) {
        BundleRun run = sound.run();
        Instant now = clock.instant();
        Map<String, String> ids = new HashMap<>();
        run.trials().forEach(t -> ids.put(t.id(), ExternalId.random("trl").value()));
        String id = ExternalId.random("run").value();
        return ground(workspace, run, sound.spec(), visibility, now)
                .flatMap(on -> store.addRun(
                                workspace,
                                id,
                                on.machine(),
                                on.matrix(),
                                run,
                                sound.spec(),
                                control(run, on.builds()),
                                ids,
                                actor)
                        .delayUntil(key -> digest(file)
                                .flatMap(sha256 -> store.mark(
                                        key, workspace, sound.manifest(), sha256.value(), sha256.bytes(), actor, now))
                                .filter(marked -> marked)
                                .switchIfEmpty(Mono.error(Meanwhile::new)))
                        .delayUntil(key -> layOut(workspace, key, run, sound.spec(), on.builds()))
                        .delayUntil(key -> cover.added(new MachineId(on.machine())))
                        .flatMap(key -> store.addTrials(key, workspace, run.trials(), ids)
                                .map(keys -> new Added(key, id, Map.copyOf(ids), keys))));
    }

    /**
     * What a run stands on.
     *
     * @param builds by their slugs in the bundle
     * @param matrix internal key
     * @param machine likewise
     */
    private record Ground(Map<String, JdkBuild> builds, long matrix, long machine) {}

    private Mono<Ground> ground(
            WorkspaceId workspace, BundleRun run, MatrixSpec spec, Visibility visibility, Instant now) {
        return builds(run)
                .flatMap(builds -> matrix(workspace, spec, visibility)
                        .flatMap(matrix -> machine(workspace, run, visibility, now)
                                .map(machine -> new Ground(builds, matrix, machine))));
    }

    Mono<Void> abort(long trial, BundleTrial as) {
        return store.abort(trial, as);
    }

    Mono<Void> samplesRemoved(long trial, String at) {
        return store.samplesRemoved(trial, at);
    }

    private Mono<Map<String, JdkBuild>> builds(BundleRun run) {
        return Flux.fromIterable(run.jdks())
                .concatMap(jdk -> jdks.build(jdk).map(build -> Map.entry(jdk.slug(), build)))
                .collect(LinkedHashMap::new, (all, one) -> all.put(one.getKey(), one.getValue()));
    }

    private static @Nullable Long control(BundleRun run, Map<String, JdkBuild> builds) {
        String control = run.course().control();
        return control == null
                ? null
                : (Long) Objects.requireNonNull(builds.get(control)).key();
    }

    private Mono<Long> matrix(WorkspaceId workspace, MatrixSpec spec, Visibility visibility) {
        return store.matrix(workspace, spec)
                .switchIfEmpty(Mono.defer(() ->
                        store.addMatrix(workspace, spec, visibility).delayUntil(key -> cover.matrixAdded(workspace))));
    }

    private Mono<Long> machine(WorkspaceId workspace, BundleRun run, Visibility visibility, Instant now) {
        return store.machine(workspace, run.machine().id())
                .switchIfEmpty(Mono.defer(() -> store.addMachine(workspace, run.machine(), visibility, now)))
                .delayUntil(key -> store.describe(key, run))
                .delayUntil(key -> store.addHosts(workspace, key, run.hosts()));
    }

    /** Its cells and tests, as if the matrix had been laid out here. */
    private Mono<Void> layOut(
            WorkspaceId workspace, long key, BundleRun run, MatrixSpec spec, Map<String, JdkBuild> builds) {
        List<Cell> laidOut = run.cells().stream()
                .map(cell -> cell.cell(
                        spec.protocol(),
                        cell.jdk() == null ? JdkBuild.NONE : Objects.requireNonNull(builds.get(cell.jdk()))))
                .toList();
        return cells.add(key, workspace, laidOut)
                .then(Mono.defer(() -> store.giveTrials(key, run.cells())))
                .then(Mono.defer(() -> families.declare(key, DeclaredTest.of(laidOut))));
    }

    private record FileDigest(byte[] value, long bytes) {}

    private static Mono<FileDigest> digest(Path file) {
        return Mono.fromCallable(() -> sha256(file)).subscribeOn(Schedulers.boundedElastic());
    }

    private static FileDigest sha256(Path file) throws IOException {
        try (DigestInputStream content = new DigestInputStream(Files.newInputStream(file), Digest.newSha256())) {
            long bytes = content.transferTo(OutputStream.nullOutputStream());
            return new FileDigest(content.getMessageDigest().digest(), bytes);
        }
    }
}
