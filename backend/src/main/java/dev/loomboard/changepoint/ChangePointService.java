package dev.loomboard.changepoint;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.limits.BackgroundWork;
import dev.loomboard.rollup.CellStore;
import dev.loomboard.rollup.FinishedCell;
import dev.loomboard.stats.Better;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.change.Confirmation;
import dev.loomboard.verdict.DeclaredTest;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Looks for changes in the series that a cell's new points belong to ({@code /methodology#histories}), when they arrive: pages only read what
 * is stored. What it finds is suspected, never confirmed. Watched is what a rerun could confirm: the metrics that are judged of the cell's load.
 */
@Service
public class ChangePointService {

    private final ChangePointStore store;
    private final Clock clock;

    public ChangePointService(ChangePointStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** To be called in the transaction that put the cell's points. */
    public Mono<Void> pointsChanged(FinishedCell cell, Map<String, CellStore.Series> series, CellStore.Shared shared) {
        Long[] watched = DeclaredTest.metrics(cell.load()).stream()
                .flatMap(metric -> Optional.ofNullable(series.get(metric)).stream())
                .map(CellStore.Series::seriesId)
                .toArray(Long[]::new);
        if (watched.length == 0) {
            return Mono.empty();
        }
        return store.known(watched)
                .flatMap(known -> store.watched(watched, shared.serverDigest(), shared.fingerprintHash())
                        .flatMapIterable(all -> all)
                        .publishOn(BackgroundWork.threads()) // the detector is not for a thread that serves connections
                        .concatMap(one -> changed(one, known))
                        .then());
    }

    private Mono<Void> changed(ComparablePoints watched, List<StoredChange> known) {
        List<StoredChange> stored =
                known.stream().filter(k -> k.seriesId() == watched.seriesId()).toList();
        ChangeReconciliation changes = ChangeReconciliation.of(watched, stored);
        if (changes.pairs().isEmpty() && changes.gone().isEmpty()) {
            return Mono.empty();
        }
        return Flux.fromIterable(changes.pairs())
                .concatMap(pair -> row(watched, pair))
                .collectList()
                .flatMap(rows -> store.put(
                        rows, changes.gone().stream().map(StoredChange::id).toList(), clock.instant()));
    }

    private Mono<ChangeUpsert> row(ComparablePoints watched, ChangeReconciliation.Pair pair) {
        Better better = Metrics.all().get(watched.metric()).direction();
        if (!pair.due(watched.points().size())) {
            return Mono.just(ChangeUpsert.of(watched.seriesId(), pair, better, null));
        }
        return store.past(watched.seriesId())
                .map(past -> ChangeUpsert.of(watched.seriesId(), pair, better, look(watched, pair.detected(), past)));
    }

    private static Confirmation look(ComparablePoints watched, DetectedChange detected, List<Dependence.Past> past) {
        Margin margin = DeclaredTest.margin(watched.metric());
        int index = detected.found().index();
        long first = watched.points().get(index).pointId();
        return Confirmation.of(
                margin,
                watched.between(detected.start(), index),
                watched.between(index, detected.end()),
                Dependence.of(margin.scale(), past, first));
    }
}
