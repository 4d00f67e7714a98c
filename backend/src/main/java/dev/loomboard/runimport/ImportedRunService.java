package dev.loomboard.runimport;

import dev.loomboard.bundle.BundleRun;
import dev.loomboard.bundle.BundleTrial;
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

/** Makes the rows of an imported run that what its trials sent needs: the run, its machine, matrix, builds, cells, tests and trials. */
@Service
class ImportedRunService {

    private final ImportedRunStore store;
    private final ImportedMachineStore machines;
    private final ImportedJdkStore jdks;
    private final ImportedTrialStore trials;
    private final RunCellStore cells;
    private final VerdictStore families;
    private final CoverService cover;
    private final Clock clock;

    ImportedRunService(
            ImportedRunStore store,
            ImportedMachineStore machines,
            ImportedJdkStore jdks,
            ImportedTrialStore trials,
            RunCellStore cells,
            VerdictStore families,
            CoverService cover,
            Clock clock) {
        this.store = store;
        this.machines = machines;
        this.jdks = jdks;
        this.trials = trials;
        this.cells = cells;
        this.families = families;
        this.cover = cover;
        this.clock = clock;
    }

    /**
     * A run as it is here.
     *
     * @param ids of its trials, by their ids where they were measured
     * @param keys of its trials, likewise
     */
    record Added(long key, String id, Map<String, String> ids, Map<String, Long> keys) {
        String idOf(BundleTrial trial) {
            return Objects.requireNonNull(ids.get(trial.id()));
        }

        long key(BundleTrial trial) {
            return Objects.requireNonNull(keys.get(trial.id()));
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
        String last = run.course().progress().trialId();
        return builds(run)
                .flatMap(builds -> ground(workspace, sound, builds, visibility, now)
                        .flatMap(on -> store.addRun(
                                        workspace, id, on, sound, last == null ? null : ids.get(last), actor)
                                .delayUntil(key -> digest(file)
                                        .flatMap(sha256 -> store.mark(
                                                key,
                                                workspace,
                                                sound.manifest(),
                                                sha256.value(),
                                                sha256.bytes(),
                                                actor,
                                                now))
                                        .filter(marked -> marked)
                                        .switchIfEmpty(Mono.error(Meanwhile::new)))
                                .delayUntil(key -> layOut(workspace, key, run, sound.spec(), builds))
                                .delayUntil(key -> cover.added(new MachineId(on.machine())))
                                .flatMap(key -> trials.add(key, workspace, run.trials(), ids)
                                        .map(keys -> new Added(key, id, Map.copyOf(ids), keys)))));
    }

    private Mono<ImportedRunStore.Ground> ground(
            WorkspaceId workspace,
            BundleReader.Sound sound,
            Map<String, JdkBuild> builds,
            Visibility visibility,
            Instant now) {
        return matrix(workspace, sound.spec(), visibility)
                .flatMap(matrix -> machine(workspace, sound.run(), visibility, now)
                        .map(machine -> new ImportedRunStore.Ground(matrix, machine, control(sound.run(), builds))));
    }

    /** By their slugs in the bundle. */
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
        return machines.find(workspace, run.machine().id())
                .switchIfEmpty(Mono.defer(() -> machines.add(workspace, run.machine(), visibility, now)))
                .delayUntil(key -> machines.describe(key, run))
                .delayUntil(key -> machines.addHosts(workspace, key, run.hosts()));
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

    record FileDigest(byte[] value, long bytes) {}

    private static Mono<FileDigest> digest(Path file) {
        return Mono.fromCallable(() -> sha256(file)).subscribeOn(Schedulers.boundedElastic());
    }

    static FileDigest sha256(Path file) throws IOException {
        try (DigestInputStream content = new DigestInputStream(Files.newInputStream(file), Digest.newSha256())) {
            long bytes = content.transferTo(OutputStream.nullOutputStream());
            return new FileDigest(content.getMessageDigest().digest(), bytes);
        }
    }
}
