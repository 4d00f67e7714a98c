package dev.loomboard.verdict;

import java.util.List;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Fills in the families once their run has ended, however it did. The same call recomputes, to the last bit. */
@Service
public class VerdictService {

    /** One thread of its own, so that uploads do not wait behind seconds of work. */
    private static final Scheduler JUDGES = Schedulers.newParallel("judge", 1, true);

    private final VerdictStore store;

    public VerdictService(VerdictStore store) {
        this.store = store;
    }

    /** To be called in the transaction that ends the run, after its cells are rolled up; does nothing to one that goes on. */
    public Mono<Void> judge(long run) {
        return store.tests(run).collectList().filter(tests -> !tests.isEmpty()).flatMap(tests -> judge(run, tests));
    }

    /**
     * What a run's first blocks say of its spread; empty: it compares nothing.
     *
     * @param first scored trials of a cell
     * @param budget further ones of all cells
     */
    public Mono<Pilot> pilot(long run, int first, int budget) {
        return store.declared(run)
                .collectList()
                .filter(tests -> !tests.isEmpty())
                .flatMap(tests -> store.trials(
                                run,
                                tests.stream()
                                        .map(Judge.Test::metric)
                                        .distinct()
                                        .toList())
                        .collectList()
                        .map(trials -> Pilot.of(tests, trials, first, budget)));
    }

    private Mono<Void> judge(long run, List<Judge.Test> tests) {
        List<String> metrics = tests.stream().map(Judge.Test::metric).distinct().toList();
        return store.layout(run)
                .zipWith(store.trials(run, metrics).collectList())
                // Powers and modes of hundreds of tests are seconds of work: not on a thread that serves connections.
                .publishOn(JUDGES)
                .map(both -> Judge.of(tests, both.getT2(), both.getT1()))
                .flatMap(outcomes -> store.put(tests, outcomes));
    }
}
