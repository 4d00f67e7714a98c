package dev.loomboard.bundle;

import dev.loomboard.web.Problem;
import dev.loomboard.web.ProblemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Few bundles at once, each in a file that is deleted whatever comes: disk and memory stay bounded. Who finds no place comes back. */
@Service
public class BundlePlacesService {

    /** Files that are made or sent. */
    private static final int SENT = 16;

    private static final int MADE = 2;
    private static final int TAKEN = 1;
    private static final Duration COME_BACK = Duration.ofSeconds(5);

    private final Semaphore sent = new Semaphore(SENT);
    private final Semaphore made = new Semaphore(MADE);
    private final Semaphore taken = new Semaphore(TAKEN);

    /** Gives work an empty file. */
    public <T> Mono<T> sending(Function<Path, Mono<T>> work) {
        return within(sent, Mono.defer(() -> withFile(work)));
    }

    public <T> Mono<T> making(Mono<T> work) {
        return within(made, work);
    }

    /** An import. */
    public <T> Mono<T> taking(Mono<T> work) {
        return within(taken, work);
    }

    private record Place(Semaphore of) {}

    private static <T> Mono<T> within(Semaphore places, Mono<T> work) {
        return Mono.using(
                () -> {
                    if (!places.tryAcquire()) {
                        throw busy("Several bundles are read or written now.");
                    }
                    return new Place(places);
                },
                place -> work,
                place -> place.of().release());
    }

    public static <T> Mono<T> withFile(Function<Path, Mono<T>> work) {
        return Mono.usingWhen(
                Mono.fromCallable(() -> Files.createTempFile("loomboard-bundle", ".zip"))
                        .subscribeOn(Schedulers.boundedElastic())
                        .onErrorMap(
                                IOException.class, e -> busy("There is no room on the service's disk for a bundle.")),
                file -> work.apply(file)
                        .onErrorMap(
                                e -> e instanceof IOException || e instanceof UncheckedIOException,
                                e -> busy("The service's disk could not hold the bundle.")),
                file -> Mono.fromCallable(() -> Files.deleteIfExists(file)).subscribeOn(Schedulers.boundedElastic()));
    }

    private static ProblemException busy(String why) {
        return Problem.of(503, "bundles-busy", "No place for a bundle now", why + " Try again in a few seconds.")
                .asException(COME_BACK);
    }
}
