package dev.loomboard.shift;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.kernel.Caller;
import dev.loomboard.rollup.EndedTrial;
import dev.loomboard.stats.latency.Latencies;
import dev.loomboard.web.Problem;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Sets two cells against each other in all detail: what only these two are read for. */
@Service
class CellComparisonService {

    /** What only diagnostic trials count, a number a trial: contention above all. */
    private static final List<String> COUNTED = Metrics.all().list().stream()
            .filter(m -> m.ofTrial() && m.trialKind() == Metric.TrialKinds.DIAGNOSTIC)
            .map(Metric::name)
            .toList();

    private final CellDetailStore store;

    CellComparisonService(CellDetailStore store) {
        this.store = store;
    }

    /** By external ids; empty: there is no such cell, or the caller may not see it. Two queries. */
    Mono<CellComparisonPage> page(String a, String b, Caller caller) {
        return store.cells(a, b, COUNTED, caller).flatMap(cells -> {
            CellDetail baseline = find(a, cells);
            CellDetail candidate = find(b, cells);
            if (baseline == null || candidate == null) {
                return Mono.empty();
            }
            if (baseline.key().equals(candidate.key())) {
                return Mono.error(
                        Problem.invalid("b", "must be another cell than a").asException());
            }
            if (!baseline.scenarioKey().equals(candidate.scenarioKey())) {
                return Mono.error(
                        Problem.invalid("b", "must be a cell of the same scenario as a, else the loads are compared")
                                .asException());
            }
            return baseline.ofOneRate() && baseline.retracted() == null && candidate.retracted() == null
                    ? shift(baseline, candidate).map(shift -> new CellComparisonPage(baseline, candidate, shift))
                    : Mono.just(new CellComparisonPage(baseline, candidate, null));
        });
    }

    private Mono<ShiftFunction> shift(CellDetail a, CellDetail b) {
        return store.trials(List.of(a.key().value(), b.key().value()))
                .collectList()
                // Hundreds of histograms are tenths of a second: not on a thread that serves connections.
                .publishOn(Schedulers.parallel())
                .map(trials -> ShiftFunction.of(
                        a, measured(a, trials), b, measured(b, trials), a.run().equals(b.run())));
    }

    private List<ShiftFunction.Measured> measured(CellDetail cell, List<CellDetailStore.Stored> trials) {
        return trials.stream()
                .filter(stored -> stored.trial().cell() == cell.key().value())
                .map(stored -> new ShiftFunction.Measured(
                        stored.trial(),
                        cell.closed()
                                ? stored.judged().service()
                                : stored.judged().response(),
                        excess(cell, stored)))
                .toList();
    }

    /** Of a closed load service − declared delay; null: it was not kept, or not sent. */
    private static @Nullable Latencies excess(CellDetail cell, CellDetailStore.Stored stored) {
        EndedTrial.Hits hits = stored.hits();
        if (hits == null || cell.closed()) {
            return hits == null ? null : hits.services(stored.deadlineNanos());
        }
        return hits.excesses(hits.responses(stored.deadlineNanos()), stored.deadlineNanos(), cell.declaredDelayNanos())
                .orElse(null);
    }

    private static @Nullable CellDetail find(String id, List<CellDetail> cells) {
        return cells.stream()
                .filter(cell -> Objects.equals(cell.id(), id))
                .findFirst()
                .orElse(null);
    }
}
