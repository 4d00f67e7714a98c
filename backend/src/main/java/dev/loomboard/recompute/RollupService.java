package dev.loomboard.recompute;

import dev.loomboard.changepoint.ChangePointService;
import dev.loomboard.limits.BackgroundWork;
import dev.loomboard.ranking.BoardKey;
import dev.loomboard.ranking.EntryRow;
import dev.loomboard.ranking.LeaderboardRollupStore;
import dev.loomboard.rollup.CellStanding;
import dev.loomboard.rollup.CellStore;
import dev.loomboard.rollup.CellSummary;
import dev.loomboard.rollup.EndedTrial;
import dev.loomboard.rollup.FinishedCell;
import dev.loomboard.rollup.Headline;
import dev.loomboard.rollup.RollupStore;
import dev.loomboard.rollup.StepNumbers;
import dev.loomboard.rollup.TrialNumbers;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Turns what a trial uploaded into numbers, and a finished cell into points and a leaderboard entry. From the same
 * rows it makes the same numbers, to the last bit.
 */
@Service
public class RollupService {

    private static final String UNKNOWN = "unknown";

    private final RollupStore trials;
    private final CellStore cells;
    private final LeaderboardRollupStore leaderboard;
    private final ChangePointService changes;
    private final Clock clock;

    public RollupService(
            RollupStore trials,
            CellStore cells,
            LeaderboardRollupStore leaderboard,
            ChangePointService changes,
            Clock clock) {
        this.trials = trials;
        this.cells = cells;
        this.leaderboard = leaderboard;
        this.changes = changes;
        this.clock = clock;
    }

    /**
     * Each cell is gone over once, however many of its trials ended. A late trial gets its numbers, but its cell does not.
     *
     * @return the boards on which entries changed
     */
    Mono<List<BoardKey>> rollUp(List<Long> trialIds) {
        return trials.seeRetractions()
                .thenMany(Flux.fromIterable(trialIds))
                .concatMap(trials::trial)
                .concatMap(facts -> numbers(facts).thenReturn(facts))
                .filter(facts -> !facts.late())
                .map(EndedTrial::cellId)
                .collectList()
                .flatMap(this::cells);
    }

    /**
     * From the numbers of their trials.
     *
     * @return the boards on which entries changed
     */
    Mono<List<BoardKey>> cells(List<Long> cellIds) {
        return Flux.fromIterable(new TreeSet<>(cellIds)) // locked in the same order by everybody
                .concatMap(this::cellChanged)
                .collectList();
    }

    private Mono<Void> numbers(EndedTrial facts) {
        return trials.seconds(facts.trialId())
                // Thousands of histograms may have to be decoded: not on a thread that serves connections.
                .publishOn(BackgroundWork.threads())
                .map(seconds -> facts.steps().stream()
                        .map(step -> StepNumbers.of(
                                step, seconds.getOrDefault(step.ordinal(), List.of()), facts.declaredDelayNanos()))
                        .toList())
                .flatMap(steps -> Flux.fromIterable(steps)
                        .concatMap(step -> trials.putPercentiles(step.step().stepId(), step.percentiles()))
                        .then(operations(facts, steps))
                        .then(metrics(facts, steps)));
    }

    private Mono<Void> operations(EndedTrial facts, List<StepNumbers> steps) {
        return trials.operations(facts.trialId())
                .publishOn(BackgroundWork.threads())
                .flatMapMany(all -> Flux.fromIterable(steps)
                        .concatMap(step -> Flux.fromIterable(
                                        all.getOrDefault(step.step().ordinal(), List.of()))
                                .concatMap(operation -> trials.putMetrics(
                                        facts.trialId(), operation, TrialNumbers.ofOperation(facts, step, operation)))))
                .then();
    }

    /** Where raw samples were removed they stay as they are: made again, those of samples would be missing. */
    private Mono<Void> metrics(EndedTrial facts, List<StepNumbers> steps) {
        return trials.samplesRemoved(facts.trialId())
                .flatMap(removed ->
                        removed ? Mono.empty() : trials.putMetrics(facts.trialId(), TrialNumbers.of(facts, steps)));
    }

    private Flux<BoardKey> cellChanged(long cellId) {
        return cells.cell(cellId).filter(FinishedCell::complete).flatMapMany(this::finished);
    }

    private Flux<BoardKey> finished(FinishedCell cell) {
        List<CellSummary> numbers = CellSummary.of(cell);
        CellStore.Shared shared = shared(cell);
        return cells.series(cell, numbers)
                .flatMapMany(series -> cells.putPoints(cell, numbers, series, shared)
                        .then(changes.pointsChanged(cell, series, shared))
                        .thenMany(leaderboard.put(entry(cell, numbers, series, shared))));
    }

    private CellStore.Shared shared(FinishedCell cell) {
        Instant measured = cell.scored().stream()
                .flatMap(t -> Optional.ofNullable(t.endedAt()).stream())
                .max(Comparator.naturalOrder())
                .orElseGet(clock::instant);
        return new CellStore.Shared(
                CellStanding.of(cell),
                measured,
                fact(cell, FinishedCell.Provenance::serverDigest, null),
                fact(cell, FinishedCell.Provenance::fingerprintHash, null),
                fact(cell, FinishedCell.Provenance::agentVersion, null));
    }

    private static EntryRow entry(
            FinishedCell cell,
            List<CellSummary> numbers,
            Map<String, CellStore.Series> series,
            CellStore.Shared shared) {
        Map<String, EntryRow.Figure> figures = figures(numbers, series);
        String headline = Headline.of(cell.load()).orElse(null);
        CellStanding standing =
                shared.standing().onBoard(cell, headline, headline == null ? null : figures.get(headline));
        return new EntryRow(
                new EntryRow.Keys(
                        cell.workspaceId(),
                        cell.machine().key(),
                        cell.track().jdkBuildId(),
                        cell.runId(),
                        cell.cellId()),
                cell.visibility(),
                cell.scenarioKey(),
                cell.workload(),
                fact(cell, FinishedCell.Provenance::classHash, cell.machine().classHash()),
                Objects.requireNonNullElse(cell.machine().classLabel(), UNKNOWN),
                cell.server(),
                shared.serverDigest(),
                cell.settings(),
                new EntryRow.Result(
                        Math.toIntExact(cell.scored().stream()
                                .filter(FinishedCell.Trial::done)
                                .count()),
                        figures,
                        headline,
                        standing.standing(),
                        standing.reasons(),
                        cell.cutShort()),
                shared.measuredAt());
    }

    private static Map<String, EntryRow.Figure> figures(
            List<CellSummary> numbers, Map<String, CellStore.Series> series) {
        Map<String, EntryRow.Figure> figures = new LinkedHashMap<>();
        for (CellSummary n : numbers) {
            String history =
                    Objects.requireNonNull(series.get(n.metric()), n.metric()).externalId();
            figures.put(
                    n.metric(),
                    new EntryRow.Figure(
                            n.mean(),
                            n.low(),
                            n.high(),
                            n.eligible(),
                            n.reason(),
                            history,
                            n.values().size()));
        }
        return figures;
    }

    /** Of the newest scored trial that knows it; where they differ the standing says so. */
    private static String fact(
            FinishedCell cell, Function<FinishedCell.Provenance, @Nullable String> of, @Nullable String otherwise) {
        return cell.scored().reversed().stream()
                .flatMap(trial -> Optional.ofNullable(of.apply(trial.provenance())).stream())
                .findFirst()
                .or(() -> Optional.ofNullable(otherwise))
                .orElse(UNKNOWN);
    }
}
