package dev.loomboard.kernel;

import java.util.function.BiConsumer;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Works of a job, one after another: one that fails does not hold up the others. */
public final class InTurn {

    private InTurn() {}

    /**
     * Reads all that is due before the first work begins, so that no query stays open meanwhile.
     *
     * @param failed gets what could not be done, and why
     */
    public static <T> Mono<Void> each(Flux<T> due, Function<T, Mono<?>> work, BiConsumer<T, Throwable> failed) {
        return due.collectList()
                .flatMapMany(Flux::fromIterable)
                .concatMap(one -> work.apply(one).then().onErrorResume(e -> {
                    failed.accept(one, e);
                    return Mono.empty();
                }))
                .then();
    }
}
