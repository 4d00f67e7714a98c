package dev.loomboard.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.web.ProblemException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Whose turn it is to have a large page made. */
final class HeavyPagesTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void page_waits_its_turn() {
        HeavyPages pages = new HeavyPages(1, 1, LONG);
        Sinks.One<String> first = Sinks.one();
        CompletableFuture<String> making = pages.inTurn(first.asMono()).toFuture();
        CompletableFuture<String> waiting = pages.inTurn(Mono.just("second")).toFuture();
        assertThat(waiting).isNotDone();
        first.tryEmitValue("first");
        assertThat(making.join()).isEqualTo("first");
        assertThat(waiting.join()).isEqualTo("second");
    }

    @Test
    void more_than_may_wait_are_told_to_come_back() {
        HeavyPages pages = new HeavyPages(1, 1, LONG);
        pages.inTurn(Mono.never()).toFuture();
        pages.inTurn(Mono.never()).toFuture();
        assertThatThrownBy(() -> pages.inTurn(Mono.just("third")).block(LONG))
                .isInstanceOfSatisfying(ProblemException.class, refused -> {
                    assertThat(refused.problem().status()).isEqualTo(503);
                    assertThat(refused.problem().detail()).contains("Try again in a few seconds");
                });
    }

    @Test
    void nobody_waits_for_ever() {
        HeavyPages pages = new HeavyPages(1, 1, Duration.ofMillis(1));
        pages.inTurn(Mono.never()).toFuture();
        assertThatThrownBy(() -> pages.inTurn(Mono.just("second")).block(LONG)).isInstanceOf(ProblemException.class);
    }

    @Test
    void failure_and_departure_give_the_turn_back() {
        HeavyPages pages = new HeavyPages(1, 1, LONG);
        assertThatThrownBy(() -> pages.inTurn(Mono.error(new IllegalStateException("no page")))
                        .block(LONG))
                .hasMessage("no page");
        pages.inTurn(Mono.never()).toFuture().cancel(true);
        assertThat(pages.inTurn(Mono.just("next")).block(LONG)).isEqualTo("next");
    }

    @Test
    void heap_decides_how_many_are_made_at_once() {
        assertThat(HeavyPages.atOnce(128L << 20)).isEqualTo(1);
        assertThat(HeavyPages.atOnce(512L << 20)).isEqualTo(2);
        assertThat(HeavyPages.atOnce(64L << 30)).isEqualTo(8);
    }
}
