package dev.loomboard.retraction;

import dev.loomboard.kernel.Caller;
import dev.loomboard.web.Problem;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Retractions for scripts. */
@RestController
class RetractionApi {

    private final RetractionStore store;

    RetractionApi(RetractionStore store) {
        this.store = store;
    }

    record Answer(List<Retraction> retractions) {}

    @GetMapping("/api/v1/retractions")
    Mono<Answer> list(Caller caller, @RequestParam(defaultValue = "100") int limit) {
        if (limit < 1 || limit > RetractionPages.MOST) {
            return Mono.error(
                    () -> Problem.invalid("limit", "must be from 1 to " + RetractionPages.MOST + ", is: " + limit)
                            .asException());
        }
        return store.all(caller, limit).collectList().map(Answer::new);
    }
}
