package dev.loomboard.regression;

import dev.loomboard.kernel.InTurn;
import dev.loomboard.notice.NoticeStore;
import dev.loomboard.stats.change.ControlComparison;
import dev.loomboard.stats.change.ControlPool;
import dev.loomboard.verdict.DeclaredTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/**
 * Sets changes against a build that stayed, so that what the host did is not taken for the JDK's: what is confirmed, and what its
 * history shows to have shifted. Of the latter the first control with enough nights decides, once: it confirms, or it clears what
 * moved the control too. Without one the change stays suspected: shifted, not attributed.
 */
@Service
public class ControlService {

    private static final Logger LOG = LoggerFactory.getLogger(ControlService.class);

    private final ControlStore store;
    private final NoticeStore notices;
    private final TransactionalOperator transaction;

    ControlService(ControlStore store, NoticeStore notices, TransactionalOperator transaction) {
        this.store = store;
        this.notices = notices;
        this.transaction = transaction;
    }

    /** Looks for the controls of what is due, and again while a new level is short. */
    public Mono<Void> look() {
        return InTurn.each(
                store.due(),
                due -> look(due).as(transaction::transactional),
                (due, e) -> LOG.error("no control could be looked for of change {}", due.key(), e));
    }

    private Mono<Void> look(ControlStore.Due due) {
        return store.beside(due.key()).flatMap(beside -> {
            Optional<ControlStore.Found> found = found(due, beside);
            return found.isEmpty()
                    ? store.none(due.key())
                    : store.put(due.key(), found.get())
                            .then(decide(due, found.get().control()));
        });
    }

    private Mono<Void> decide(ControlStore.Due due, ControlComparison control) {
        return due.undecided() && control.tells()
                ? store.decide(due.key(), HistoryDecision.of(control)).then(notices.gather(List.of(due.key())))
                : Mono.empty();
    }

    /**
     * All builds that ran beside both levels, as one control. A run that measured a build of the new level is a night of that,
     * whatever else it measured.
     *
     * @param beside in the order of the history
     */
    private static Optional<ControlStore.Found> found(ControlStore.Due due, List<ControlStore.Beside> beside) {
        List<ControlStore.Beside> after =
                beside.stream().filter(ControlStore.Beside::later).toList();
        Set<Long> later = after.stream().map(ControlStore.Beside::run).collect(Collectors.toSet());
        List<ControlStore.Beside> before =
                beside.stream().filter(b -> !later.contains(b.run())).toList().reversed();
        ControlPool pool = ControlPool.of(nights(before), nights(after));
        return ControlComparison.of(DeclaredTest.margin(due.metric()), due.up(), pool.before(), pool.after())
                .map(control -> new ControlStore.Found(pool.builds(), control));
    }

    /**
     * A run is one night, however many builds of a level it measured: the one next to the change is its candidate.
     *
     * @param outwards those next to the change first
     */
    private static List<ControlPool.Night> nights(List<ControlStore.Beside> outwards) {
        Map<Long, List<ControlStore.Beside>> runs = new LinkedHashMap<>();
        outwards.forEach(
                b -> runs.computeIfAbsent(b.run(), run -> new ArrayList<>()).add(b));
        return runs.values().stream().map(ControlService::night).toList();
    }

    private static ControlPool.Night night(List<ControlStore.Beside> run) {
        ControlStore.Beside next = run.getFirst();
        Map<Long, Double> controls = new HashMap<>();
        run.stream()
                .filter(b -> b.candidateBuild() == next.candidateBuild())
                .forEach(b -> controls.putIfAbsent(b.build(), b.night().control()));
        return new ControlPool.Night(next.night().candidate(), controls);
    }
}
