package dev.loomboard.runimport;

import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.WorkspaceId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Imports the bundles that ship with Loomboard, as any bundle is, into a public workspace of their own to which nobody belongs: what the
 * service's own machines measure is apart. A file that was imported before costs its digest. One that cannot be is a problem in words
 * and stops no other.
 */
@Service
class ShippedResultsService {

    static final String WORKSPACE = WorkspaceId.SHIPPED;

    static final String NAME = "Results shipped with Loomboard";

    /** Who imports, for the audit log. */
    static final String ACTOR = "shipped-results";

    private static final String BUNDLE = ".loomboard.zip";
    private static final int MOST = 100;

    private final BundleImportService imports;
    private final ShippedResultsStore store;

    ShippedResultsService(BundleImportService imports, ShippedResultsStore store) {
        this.imports = imports;
        this.store = store;
    }

    Mono<ShippedResults> take(Path folder) {
        return Mono.fromCallable(() -> bundles(folder))
                .subscribeOn(Schedulers.boundedElastic())
                .flatMap(files -> files.isEmpty() ? Mono.just(ShippedResults.NONE) : take(files));
    }

    private Mono<ShippedResults> take(List<Path> files) {
        return store.workspace(WORKSPACE, NAME)
                .flatMap(workspace -> Flux.fromIterable(files)
                        .concatMap(file -> problem(workspace, file), 1)
                        .reduce(ShippedResults.NONE, (all, problem) -> all.with(problem.orElse(null))))
                .defaultIfEmpty(new ShippedResults(
                        files.size(),
                        0,
                        List.of("nothing was imported: the workspace " + WORKSPACE + " is somebody's")));
    }

    /** Empty: the workspace has its run. */
    private Mono<Optional<String>> problem(WorkspaceId workspace, Path file) {
        return Mono.fromCallable(() -> ImportedRunService.sha256(file).value())
                .subscribeOn(Schedulers.boundedElastic())
                .flatMap(sha256 -> store.has(workspace, sha256))
                .flatMap(has -> has
                        ? Mono.just(Optional.<String>empty())
                        : imports.take(workspace, ACTOR, Visibility.PUBLIC, file)
                                .map(ShippedResultsService::refusal))
                .onErrorResume(Exception.class, e -> Mono.just(Optional.of(String.valueOf(e.getMessage()))))
                .map(problem -> problem.map(why -> file.getFileName() + " was not imported: " + why));
    }

    private static Optional<String> refusal(ImportResult result) {
        return switch (result) {
            case ImportResult.Imported imported -> Optional.empty();
            case ImportResult.Present present -> Optional.empty();
            case ImportResult.Refused refused -> Optional.of(refused.why());
            case ImportResult.NoRoom full -> Optional.of(full.why());
        };
    }

    /** In their names' order: the same on each machine. */
    private static List<Path> bundles(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().endsWith(BUNDLE) && Files.isRegularFile(file))
                    .sorted()
                    .limit(MOST)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("the folder of shipped results cannot be read: " + e.getMessage(), e);
        }
    }
}
