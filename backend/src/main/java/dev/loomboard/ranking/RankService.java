package dev.loomboard.ranking;

import dev.loomboard.limits.BackgroundWork;
import dev.loomboard.retracted.Version;
import java.util.Collection;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Ranks boards again after an entry was added, removed or changed. From the same entries come the same ranks, to the last bit. */
@Service
public class RankService {

    private final RankStore store;

    public RankService(RankStore store) {
        this.store = store;
    }

    /** To be called last in the transaction that changed the entries: it waits for others that rank the same board. */
    public Mono<Void> rank(Collection<BoardKey> boards) {
        return Flux.fromIterable(new TreeSet<>(boards))
                .concatMap(store::besides)
                .collect(Collectors.toCollection(() -> new TreeSet<>(boards)))
                .flatMapIterable(all -> all)
                .concatMap(this::rank)
                .then();
    }

    private Mono<Void> rank(BoardKey board) {
        return store.lock(board)
                .then(store.candidates(board).collectList())
                // Two hundred entries are a quarter of a second of work: not on a thread that serves connections.
                .flatMap(candidates -> store.spreads(board, candidates)
                        .publishOn(BackgroundWork.threads())
                        .map(spreads -> Ranking.of(candidates, spreads)))
                .flatMap(ranked -> store.put(board, ranked));
    }

    /** Boards to be ranked once more: not all that their ranks rest on is stored. */
    public Flux<BoardKey> incomplete() {
        return store.incomplete();
    }

    /** The boards that a machine's entries stand on, to be ranked once they left these for others. */
    public Flux<BoardKey> boardsOf(long machine) {
        return store.ofMachine(machine);
    }

    /** The boards on which a version of a server or workload stands. */
    public Flux<BoardKey> boardsOf(Version version) {
        return store.ofVersion(version);
    }
}
