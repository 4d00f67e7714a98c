package dev.loomboard.regression;

import dev.loomboard.stats.ControlComparison;
import dev.loomboard.stats.FollowUpPolicy;
import dev.loomboard.verdict.DeclaredTest;
import java.util.ArrayList;
import java.util.Comparator;
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
import reactor.core.publisher.Flux;
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
    private final TransactionalOperator transaction;

    ControlService(ControlStore store, TransactionalOperator transaction) {
        this.store = store;
        this.transaction = transaction;
    }

    /** Looks for the controls of what is due, and again while a new level is short. */
    public Mono<Void> look() {
        return store.due()
                .collectList()
                .flatMapMany(Flux::fromIterable)
                .concatMap(due -> look(due).as(transaction::transactional).onErrorResume(e -> {
                    LOG.error("no control could be looked for of change {}", due.key(), e);
                    return Mono.empty();
                }))
                .then();
    }

    private Mono<Void> look(ControlStore.Due due) {
        return store.beside(due.key())
                .map(beside -> found(due, beside))
                .flatMap(found -> found.isEmpty()
                        ? store.none(due.key())
                        : store.put(due.key(), found.size(), found.getFirst())
                                .then(decide(due, found.getFirst().control())));
    }

    private Mono<Void> decide(ControlStore.Due due, ControlComparison control) {
        return due.undecided() && control.tells() ? store.decide(due.key(), HistoryDecision.of(control)) : Mono.empty();
    }

    /** A control for each build that has one, the one that ran beside both levels most often first; of several the newest. */
    private static List<ControlStore.Found> found(ControlStore.Due due, List<ControlStore.Beside> beside) {
        Map<Long, List<ControlStore.Beside>> builds = new LinkedHashMap<>();
        beside.forEach(b ->
                builds.computeIfAbsent(b.build(), build -> new ArrayList<>()).add(b));
        return builds.entrySet().stream()
                .flatMap(of -> control(due, of.getValue()).map(c -> new ControlStore.Found(of.getKey(), c)).stream())
                .sorted(Comparator.comparingInt((ControlStore.Found f) ->
                                Math.min(f.control().before(), f.control().after()))
                        .thenComparingLong(ControlStore.Found::build)
                        .reversed())
                .toList();
    }

    /**
     * A run that measured a build of the new level is a night of that, whatever else it measured.
     *
     * @param beside in the order of the history
     */
    private static Optional<ControlComparison> control(ControlStore.Due due, List<ControlStore.Beside> beside) {
        List<ControlStore.Beside> after =
                beside.stream().filter(ControlStore.Beside::later).toList();
        Set<Long> later = after.stream().map(ControlStore.Beside::run).collect(Collectors.toSet());
        List<ControlStore.Beside> before =
                beside.stream().filter(b -> !later.contains(b.run())).toList().reversed();
        return ControlComparison.of(DeclaredTest.margin(due.metric()), due.up(), nights(before), nights(after));
    }

    /**
     * As many as a level needs to be looked at. A run is one night, however many builds of a level it measured: the control
     * ran once in it.
     *
     * @param outwards those next to the change first
     */
    private static List<ControlComparison.Night> nights(List<ControlStore.Beside> outwards) {
        Map<Long, ControlComparison.Night> nights = new LinkedHashMap<>();
        outwards.forEach(b -> nights.putIfAbsent(b.run(), b.night()));
        return nights.values().stream().limit(FollowUpPolicy.POINTS).toList();
    }
}
