package dev.loomboard.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.WebTest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Which pages take their turn because they take much memory. None of these is there: that is found out in its turn. */
final class LargePagesTest extends WebTest {

    private static final List<String> PAGES =
            List.of("/trials/trl_none%s", "/compare/cells%s?a=none&b=none", "/flames%s?a=none&b=none");

    /** All turns and all places to wait for one, whatever the heap. */
    private static final int ENOUGH = 100;

    @Test
    void large_page_is_not_made_while_others_have_all_turns() {
        HeavyPages pages = service.bean(HeavyPages.class);
        List<CompletableFuture<Object>> others = Stream.generate(
                        () -> pages.inTurn(Mono.never()).toFuture())
                .limit(ENOUGH)
                .toList();
        try {
            forms().forEach(path -> assertThat(status(path)).as(path).isEqualTo(503));
        } finally {
            others.forEach(other -> other.cancel(true));
        }
        forms().forEach(path -> assertThat(status(path)).as(path).isEqualTo(404));
    }

    private static Stream<String> forms() {
        return PAGES.stream().flatMap(page -> Stream.of("", ".json", ".csv").map(page::formatted));
    }

    private int status(String path) {
        return client.get()
                .uri(path)
                .exchange()
                .returnResult(Void.class)
                .getStatus()
                .value();
    }
}
