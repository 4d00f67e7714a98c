package dev.loomboard.run;

import dev.loomboard.expansion.TrialSlot;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.plan.BlockRepeatStore;
import dev.loomboard.plan.PilotStore;
import dev.loomboard.plan.Plan;
import dev.loomboard.plan.SpoiltBlocks;
import dev.loomboard.plan.StoredCell;
import dev.loomboard.verdict.VerdictService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Decides, once all planned trials of a run have ended, which further ones it makes. Called under the run's lock. */
@Service
class FurtherTrialsService {

    private final RunStore runs;
    private final RunCellStore contents;
    private final BlockRepeatStore repeats;
    private final PilotStore pilots;
    private final VerdictService verdicts;

    FurtherTrialsService(
            RunStore runs,
            RunCellStore contents,
            BlockRepeatStore repeats,
            PilotStore pilots,
            VerdictService verdicts) {
        this.runs = runs;
        this.contents = contents;
        this.repeats = repeats;
        this.pilots = pilots;
        this.verdicts = verdicts;
    }

    /**
     * Spoilt blocks are made again first; then, once in a run, the spread of what there is gives further trials. Stores what is
     * asked for and says it among the run's notices. False: nothing is.
     */
    Mono<Boolean> ask(RunStore.Locked run) {
        return Mono.zip(
                        contents.cells(run.key()).collectList(),
                        repeats.attempts(run.key()),
                        repeats.repeated(run.key()))
                .flatMap(found -> repeat(run, found.getT1(), found.getT2(), found.getT3()))
                .flatMap(asked -> asked ? Mono.just(true) : allocate(run));
    }

    private Mono<Boolean> allocate(RunStore.Locked run) {
        MatrixSpec.Trials trials = run.spec().trials();
        Integer further = trials.further();
        if (further == null) {
            return Mono.just(false);
        }
        return pilots.isThere(run.key())
                .filter(there -> !there)
                .flatMap(none -> verdicts.pilot(run.key(), trials.scored(), further))
                .flatMap(pilot -> pilots.put(run.key(), pilot)
                        .then(runs.addNotices(run.key(), List.of(pilot.words())))
                        .thenReturn(pilot.trials() > 0))
                .defaultIfEmpty(false);
    }

    private Mono<Boolean> repeat(
            RunStore.Locked run,
            List<StoredCell> cells,
            Map<BlockRepeatStore.Place, SpoiltBlocks.Attempt> attempts,
            Set<BlockRepeatStore.Place> before) {
        // A build that the machine lost meanwhile has cells, and no trials that could be made again.
        SpoiltBlocks spoilt = SpoiltBlocks.of(
                Plan.blocks(run.spec().trials(), Objects.requireNonNull(run.orderSeed()), cells).stream()
                        .filter(slots -> slots.stream().allMatch(slot -> attempts.containsKey(place(cells, slot))))
                        .map(slots -> block(cells, slots, attempts, before))
                        .toList());
        if (spoilt.repeats().isEmpty()) {
            return Mono.just(false);
        }
        List<BlockRepeatStore.NewRepeat> asked = new ArrayList<>();
        List<String> notices = new ArrayList<>();
        for (SpoiltBlocks.Repeat repeat : spoilt.repeats()) {
            SpoiltBlocks.Block block = repeat.spoilt();
            asked.add(new BlockRepeatStore.NewRepeat(
                    block.ordinal(), block.cells().stream().map(StoredCell::key).toList(), repeat.why()));
            notices.add("block " + block.ordinal() + " of " + words(block.cells()) + " is repeated: " + repeat.why());
        }
        if (spoilt.left() > 0) {
            notices.add(spoilt.left()
                    + (spoilt.left() == 1
                            ? " more block with an unusable trial is"
                            : " more blocks with an unusable trial are")
                    + " not repeated: at most a quarter of a run's scored trials may be repeats");
        }
        return repeats.add(run.key(), run.lease().fencing(), asked)
                .then(runs.addNotices(run.key(), notices))
                .thenReturn(true);
    }

    private static SpoiltBlocks.Block block(
            List<StoredCell> cells,
            List<TrialSlot> slots,
            Map<BlockRepeatStore.Place, SpoiltBlocks.Attempt> attempts,
            Set<BlockRepeatStore.Place> before) {
        return new SpoiltBlocks.Block(
                slots.getFirst().ordinal(),
                slots.stream().map(TrialSlot::cell).sorted().map(cells::get).toList(),
                slots.stream()
                        .map(slot -> Objects.requireNonNull(attempts.get(place(cells, slot))))
                        .toList(),
                before.contains(place(cells, slots.getFirst())));
    }

    private static BlockRepeatStore.Place place(List<StoredCell> cells, TrialSlot slot) {
        return new BlockRepeatStore.Place(cells.get(slot.cell()).key(), slot.ordinal());
    }

    /** What a block measures: one cell by its server's name, several by their number. */
    private static String words(List<StoredCell> cells) {
        StoredCell first = cells.getFirst();
        String load =
                first.scenario().workload() + " " + first.scenario().load().words();
        return cells.size() == 1
                ? first.server() + " " + first.variant() + ", " + load + ","
                : load + " (" + cells.size() + " trials)";
    }
}
