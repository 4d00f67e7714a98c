package dev.loomboard.regression;

import dev.loomboard.expansion.TrialSeconds;
import dev.loomboard.expansion.TrialSecondsStore;
import dev.loomboard.kernel.InTurn;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.stats.change.NightlyScreen;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;

/**
 * Screens runs that are over: each new build ÷ control against the nights before ({@link NightlyScreen}). What rises becomes a
 * suspect, which a rerun decides; the feed does not report it before.
 */
@Service
public class ScreenService {

    private static final Logger LOG = LoggerFactory.getLogger(ScreenService.class);

    private final ScreenStore store;
    private final TrialSecondsStore seconds;
    private final TransactionalOperator transaction;

    ScreenService(ScreenStore store, TrialSecondsStore seconds, TransactionalOperator transaction) {
        this.store = store;
        this.seconds = seconds;
        this.transaction = transaction;
    }

    /**
     * Each run; twice would say the same. A machine whose owners want no reruns is not screened: nothing would answer. A run that
     * cannot be screened does not hold up the others.
     */
    public Mono<Void> screen() {
        return InTurn.each(
                store.expire().thenMany(store.due()),
                due -> (due.reruns() ? screen(due) : store.done(due, 0, 0)).as(transaction::transactional),
                (due, e) -> LOG.error("run {} could not be screened", due.run(), e));
    }

    private Mono<Void> screen(ScreenStore.Due due) {
        return store.nights(due)
                .flatMap(rows -> screen(due, store.spec(due), ScreenedSeries.of(rows)))
                .onErrorResume(JacksonException.class, e -> {
                    LOG.warn("run {} is not screened: its stored spec is not understood", due.run(), e);
                    return store.done(due, 0, 0);
                });
    }

    private Mono<Void> screen(ScreenStore.Due due, MatrixSpec spec, List<ScreenedSeries> series) {
        if (series.isEmpty()) {
            return store.done(due, 0, 0);
        }
        return seconds.of(due.machine(), spec)
                .map(trials -> NightlyScreen.of(NightlyScreen.blocks(secondsOfBlock(trials, series)), series.size()))
                .flatMap(screen -> Flux.fromIterable(series)
                        .concatMap(one -> screen(one, screen))
                        .filter(raised -> raised)
                        .count())
                .flatMap(rises -> store.done(due, series.size(), rises.intValue()));
    }

    /** Gives whether it rose. What lies no higher than before says that what waits for a rerun rose by chance. */
    private Mono<Boolean> screen(ScreenedSeries one, NightlyScreen screen) {
        NightlyScreen.Rise rise = one.rise(screen);
        if (rise.starts()) {
            return store.raise(one, one.raised(rise)).thenReturn(true);
        }
        return (rise.higher() ? Mono.<Void>empty() : store.fellBack(one)).thenReturn(false);
    }

    /** In the mean of what is screened. */
    private static double secondsOfBlock(TrialSeconds trials, List<ScreenedSeries> series) {
        return series.stream()
                .mapToDouble(one -> 2 * trials.scored(one.load()))
                .average()
                .orElseThrow();
    }
}
