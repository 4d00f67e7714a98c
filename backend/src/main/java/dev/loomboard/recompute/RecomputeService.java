package dev.loomboard.recompute;

import dev.loomboard.kernel.MachineId;
import dev.loomboard.ranking.BoardKey;
import dev.loomboard.ranking.RankService;
import dev.loomboard.retracted.Version;
import dev.loomboard.rollup.RollupStore;
import dev.loomboard.verdict.VerdictService;
import dev.loomboard.visibility.VisibilityService;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Says what must be made again after an event. Each method is called in the transaction of its event. */
@Service
public class RecomputeService implements VisibilityService {

    private final RollupService rollup;
    private final RollupStore trials;
    private final RankService ranks;
    private final VerdictService verdicts;

    public RecomputeService(RollupService rollup, RollupStore trials, RankService ranks, VerdictService verdicts) {
        this.rollup = rollup;
        this.trials = trials;
        this.ranks = ranks;
        this.verdicts = verdicts;
    }

    /**
     * After a trial's state, validity, facts, steps, windows and samples are written.
     *
     * @param trialId internal key of the trial
     */
    public Mono<Void> trialEnded(long trialId) {
        return trialsEnded(List.of(trialId));
    }

    /** Several at once, as when a run is cut short. */
    public Mono<Void> trialsEnded(List<Long> trialIds) {
        return rollup.rollUp(trialIds).flatMap(ranks::rank);
    }

    /** @param aborted its trials that its end cut off */
    public Mono<Void> runEnded(long runId, List<Long> aborted) {
        return trialsEnded(aborted).then(verdicts.judge(runId));
    }

    /** Makes all numbers of a run again, from its raw record, and its verdicts from these. */
    public Mono<Void> recompute(long runId) {
        return again(runId, true);
    }

    /** @param over the run has ended, so that it has verdicts */
    Mono<Void> again(long runId, boolean over) {
        return trials.ended(runId).collectList().flatMap(ended -> over ? runEnded(runId, ended) : trialsEnded(ended));
    }

    /** From the numbers of trials alone, whose raw record is no longer kept. */
    Mono<Void> cellsAgain(long runId, List<Long> cellIds) {
        return rollup.cells(cellIds).flatMap(ranks::rank).then(verdicts.judge(runId));
    }

    /** After a version was retracted, or its retraction withdrawn: whatever shows a result looks that up, but ranks do not. */
    public Mono<Void> retractionChanged(Version version) {
        return ranks.boardsOf(version).collectList().flatMap(ranks::rank);
    }

    /** A machine's entries leave some boards and enter others, or rank there no more. Nobody rolls up meanwhile. */
    @Override
    public Mono<Void> visibilityChanges(MachineId machine, Mono<Void> change) {
        Mono<List<BoardKey>> boards = ranks.boardsOf(machine.value()).collectList();
        return trials.waitForRollUps()
                .then(boards)
                .flatMap(left -> change.then(boards)
                        .map(entered ->
                                Stream.concat(left.stream(), entered.stream()).toList()))
                .flatMap(ranks::rank);
    }
}
