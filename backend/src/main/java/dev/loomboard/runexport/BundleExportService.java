package dev.loomboard.runexport;

import dev.loomboard.bundle.BundleManifest;
import dev.loomboard.bundle.BundlePlacesService;
import dev.loomboard.bundle.BundleRefusal;
import dev.loomboard.bundle.BundleRun;
import dev.loomboard.bundle.BundleTrial;
import dev.loomboard.bundle.MemberNames;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.measurement.EncodedHistogram;
import dev.loomboard.stats.Methodology;
import dev.loomboard.web.Problem;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes bundles: of a run that the caller may see, a member at a time, into a file of its own that is gone when it was sent. So one holds
 * a batch in memory while it is made, however large it is, and next to nothing while it is taken.
 */
@Service
class BundleExportService {

    private final ExportedRunStore runs;
    private final ExportedTrialStore contents;
    private final BundlePlacesService places;
    private final JsonMapper json;
    private final Clock clock;

    BundleExportService(
            ExportedRunStore runs,
            ExportedTrialStore contents,
            BundlePlacesService places,
            JsonMapper json,
            Clock clock) {
        this.runs = runs;
        this.contents = contents;
        this.places = places;
        this.json = json;
        this.clock = clock;
    }

    /**
     * Empty: there is no such run, or the caller may not see it.
     *
     * @param service address by which the caller reached this one
     * @param content how much of it
     * @param use is given the file, which is deleted afterwards
     */
    <T> Mono<T> with(Caller caller, String id, String service, BundleContent content, Function<Path, Mono<T>> use) {
        return sayable(runs.head(caller, id))
                .flatMap(head -> exportable(head)
                        .flatMap(sound -> places.sending(
                                file -> made(sound, service, content, file).then(Mono.defer(() -> use.apply(file))))));
    }

    /** What cannot be in a bundle is a refusal with the reason, and no fault. */
    private static <T> Mono<T> sayable(Mono<T> work) {
        return work.onErrorMap(ValueInstantiationException.class, BundleExportService::refusalOf)
                .onErrorMap(
                        e -> e instanceof FieldChecks.Refused || e instanceof EncodedHistogram.Refusal,
                        e -> new BundleRefusal("it has what a bundle cannot hold: " + e.getMessage()))
                .onErrorMap(
                        BundleRefusal.class,
                        e -> Problem.conflict("no-bundle", "There is no bundle of this run: " + e.words() + ".")
                                .asException());
    }

    /** Of a part that was read as JSON. */
    private static Throwable refusalOf(ValueInstantiationException read) {
        return read.getCause() == null ? read : read.getCause();
    }

    private Mono<ExportedRunStore.Head> exportable(ExportedRunStore.Head head) {
        if (!head.over()) {
            return refused("The run goes on. Its bundle can be made when it is over.");
        }
        if (head.followsAnother()) {
            return refused(
                    "The run is a later look of a rerun, whose verdicts count the blocks of the looks before; a bundle"
                            + " holds one run.");
        }
        return runs.lacksHistograms(head.key())
                .flatMap(lacks -> lacks
                        ? refused(
                                "Histograms of the run are not kept any more, so its numbers could not be made again.")
                        : Mono.just(head));
    }

    private static <T> Mono<T> refused(String why) {
        return Mono.error(Problem.conflict("no-bundle", why).asException());
    }

    private Mono<Void> made(ExportedRunStore.Head head, String service, BundleContent content, Path file) {
        Mono<Void> written = Mono.usingWhen(
                onDisk(() -> new BundleWriter(file, json)),
                writer -> write(writer, head, service, content),
                writer -> onDisk(() -> {
                    writer.close();
                    return true;
                }));
        return sayable(places.making(written));
    }

    private Mono<Void> write(BundleWriter writer, ExportedRunStore.Head head, String service, BundleContent content) {
        return Mono.zip(runs.jdks(head.key()), runs.cells(head.key()), runs.hosts(head), runs.trials(head.key()))
                .flatMap(parts -> {
                    List<ExportedRunStore.StoredTrial> trials = parts.getT4();
                    BundleRun run = new BundleRun(
                            BundleRun.SCHEMA,
                            head.id(),
                            head.title(),
                            Objects.requireNonNull(head.course()),
                            head.spec(),
                            content.noticed(head.notices()),
                            head.machine(),
                            parts.getT3(),
                            parts.getT1(),
                            parts.getT2(),
                            trials.stream()
                                    .map(ExportedRunStore.StoredTrial::trial)
                                    .toList());
                    return onDisk(() -> member(writer, MemberNames.RUN, run))
                            .thenMany(Flux.range(0, trials.size()))
                            .concatMap(i -> trial(writer, i + 1, trials.get(i), content), 1)
                            .then(Mono.defer(() -> table(writer, run, trials)))
                            .then(Mono.defer(() -> onDisk(() -> finished(writer, head, service, content))))
                            .then();
                });
    }

    private Mono<Void> trial(
            BundleWriter writer, int number, ExportedRunStore.StoredTrial stored, BundleContent content) {
        BundleTrial trial = stored.trial();
        Mono<Void> batches = Mono.zip(
                        contents.content(stored.key(), content),
                        contents.shares(stored.key()).collectList())
                .flatMapMany(of -> Flux.fromIterable(of.getT2())
                        .concatMap(share -> batch(writer, number, stored, share, of.getT1()), 1))
                .then();
        return batches.thenMany(Flux.fromIterable(trial.artefacts()))
                .concatMap(
                        name -> contents.artefact(stored.key(), name)
                                .flatMap(bytes -> onDisk(() -> {
                                    writer.member(MemberNames.artefact(number, name), bytes);
                                    return true;
                                })),
                        1)
                .then();
    }

    private Mono<Boolean> batch(
            BundleWriter writer,
            int number,
            ExportedRunStore.StoredTrial stored,
            ExportedTrialStore.Share share,
            TrialContent content) {
        BundleTrial trial = stored.trial();
        return contents.batch(stored.key(), trial.id(), trial.place().fencing(), share, content)
                .flatMap(batch -> onDisk(() -> member(writer, MemberNames.batch(number, share.seq()), batch)));
    }

    private Mono<Void> table(BundleWriter writer, BundleRun run, List<ExportedRunStore.StoredTrial> trials) {
        return onDisk(() -> {
                    writer.begin(MemberNames.TABLE);
                    writer.append(BundleTable.head());
                    return true;
                })
                .thenMany(Flux.range(0, trials.size()))
                .concatMap(
                        i -> contents.readings(trials.get(i).key())
                                .flatMap(readings -> onDisk(() -> {
                                    BundleTrial trial = trials.get(i).trial();
                                    writer.append(BundleTable.rows(
                                            i + 1,
                                            trial,
                                            run.cells().get(trial.cell()),
                                            trials.get(i).validity(),
                                            readings));
                                    return true;
                                })),
                        1)
                .then(Mono.defer(() -> onDisk(() -> {
                    writer.end();
                    return true;
                })))
                .then();
    }

    private static boolean member(BundleWriter writer, String name, Object document) {
        writer.member(name, document);
        return true;
    }

    private boolean finished(BundleWriter writer, ExportedRunStore.Head head, String service, BundleContent content) {
        writer.finish(
                new BundleManifest.Origin(head.service() == null ? service : head.service(), head.id()),
                new BundleManifest.Exported(
                        clock.instant().toString(), service, Methodology.VERSION, content.compactOrNull()));
        return true;
    }

    private static <T> Mono<T> onDisk(Callable<T> work) {
        return Mono.fromCallable(work).subscribeOn(Schedulers.boundedElastic());
    }
}
