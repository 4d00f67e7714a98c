package dev.loomboard.leaderboard;

import dev.loomboard.kernel.Caller;
import dev.loomboard.web.Problem;
import java.time.Duration;
import java.util.Map;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import reactor.core.publisher.Mono;

/** Rows of boards as pictures that other sites may show. Whoever asks, they say what everybody may see. */
@Controller
class BadgePages {

    private static final MediaType SVG = MediaType.parseMediaType("image/svg+xml");
    private static final Duration KEPT = Duration.ofMinutes(5);

    private final BoardService boards;

    BadgePages(BoardService boards) {
        this.boards = boards;
    }

    /** The row of the newest release, as the board has it without filters. */
    @GetMapping("/badges/{scenario}/{server}/{variant}.svg")
    Mono<ResponseEntity<byte[]>> badge(
            @PathVariable String scenario, @PathVariable String server, @PathVariable String variant) {
        return boards.one(new Caller.Anonymous(), BoardQuery.of(Map.of("scenario", scenario, "server", server)), true)
                .flatMap(board -> Mono.justOrEmpty(board.entries().stream()
                        .filter(entry -> entry.server().variant().equals(variant))
                        .findFirst()
                        .map(entry -> Badge.of(board, entry))))
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()))
                .map(badge -> ResponseEntity.ok()
                        .contentType(SVG)
                        .cacheControl(CacheControl.maxAge(KEPT).cachePublic())
                        .body(badge.svg()));
    }
}
