package dev.loomboard.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.WorkspaceId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** What is kept, for whom and how long. */
final class PageCacheTest {

    private static final Caller SOMEBODY =
            new Caller.Person(new AccountId(1), "acc_a", "A", false, Map.of(new WorkspaceId(1), Role.OWNER));
    private static final Caller NOBODY = new Caller.Anonymous();

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger made = new AtomicInteger();
    private final PageCache kept = new PageCache(Duration.ofSeconds(2), nanos::get);
    private final Function<PageContext, Mono<ResponseEntity<byte[]>>> make =
            shell -> Mono.fromSupplier(() -> page("made " + made.incrementAndGet()));

    @Test
    void a_page_is_made_once_in_its_time() {
        assertThat(text(NOBODY, "/leaderboard", false)).isEqualTo("made 1");
        nanos.addAndGet(Duration.ofMillis(1999).toNanos());
        assertThat(text(NOBODY, "/leaderboard", false)).isEqualTo("made 1");
        nanos.addAndGet(Duration.ofMillis(2).toNanos());
        assertThat(text(NOBODY, "/leaderboard", false)).isEqualTo("made 2");
    }

    @Test
    void while_nothing_changes_it_is_kept_for_a_minute_at_most() {
        kept.begins();
        assertThat(text(NOBODY, "/leaderboard", false)).isEqualTo("made 1");
        nanos.addAndGet(Duration.ofSeconds(29).toNanos());
        assertThat(text(NOBODY, "/leaderboard", false)).isEqualTo("made 1");
        assertThat(made).hasValue(1);
        nanos.addAndGet(Duration.ofSeconds(32).toNanos());
        assertThat(text(NOBODY, "/leaderboard", false)).isEqualTo("made 2");
    }

    @Test
    void what_is_still_asked_for_late_in_its_minute_is_made_anew_and_nobody_waits() {
        kept.begins();
        assertThat(text(NOBODY, "/leaderboard", false)).isEqualTo("made 1");
        nanos.addAndGet(Duration.ofSeconds(31).toNanos());
        Sinks.One<ResponseEntity<byte[]>> slow = Sinks.one();
        assertThat(body(page(NOBODY, "/leaderboard", false, shell -> slow.asMono())))
                .isEqualTo("made 1");
        assertThat(text(NOBODY, "/leaderboard", false))
                .as("while that is being made")
                .isEqualTo("made 1");
        assertThat(made).as("nobody else makes it too").hasValue(1);
        assertThat(slow.tryEmitValue(page("anew"))).isEqualTo(Sinks.EmitResult.OK);
        nanos.addAndGet(Duration.ofSeconds(29).toNanos());
        assertThat(text(NOBODY, "/leaderboard", false)).isEqualTo("anew");
    }

    @Test
    void after_a_change_it_is_old_unless_it_is_of_this_moment() {
        kept.begins();
        assertThat(text(NOBODY, "/leaderboard", false)).isEqualTo("made 1");
        kept.says("");
        nanos.addAndGet(Duration.ofMillis(1999).toNanos());
        assertThat(text(NOBODY, "/leaderboard", false)).isEqualTo("made 1");
        nanos.addAndGet(Duration.ofMillis(2).toNanos());
        assertThat(text(NOBODY, "/leaderboard", false)).isEqualTo("made 2");
        nanos.addAndGet(Duration.ofSeconds(20).toNanos());
        assertThat(text(NOBODY, "/leaderboard", false)).isEqualTo("made 2");
    }

    @Test
    void a_change_while_it_is_made_makes_it_old() {
        kept.begins();
        assertThat(body(page(
                        NOBODY,
                        "/leaderboard",
                        false,
                        shell -> Mono.fromSupplier(() -> {
                            kept.says("");
                            return page("before the change");
                        }))))
                .isEqualTo("before the change");
        nanos.addAndGet(Duration.ofSeconds(3).toNanos());
        assertThat(text(NOBODY, "/leaderboard", false)).isEqualTo("made 1");
    }

    @Test
    void while_nothing_is_heard_nothing_is_known_to_be_unchanged() {
        kept.begins();
        assertThat(text(NOBODY, "/leaderboard", false)).isEqualTo("made 1");
        kept.ends();
        nanos.addAndGet(Duration.ofSeconds(3).toNanos());
        assertThat(text(NOBODY, "/leaderboard", false)).isEqualTo("made 2");
        kept.begins();
        nanos.addAndGet(Duration.ofSeconds(3).toNanos());
        assertThat(text(NOBODY, "/leaderboard", false))
                .as("made before listening began again")
                .isEqualTo("made 3");
    }

    @Test
    void what_is_large_is_kept_compressed() {
        String large = "A long page. ".repeat(1000);
        ResponseEntity<byte[]> answer = Objects.requireNonNull(
                page(NOBODY, "/a", false, shell -> Mono.just(page(large))).block(Duration.ofMinutes(2)));
        byte[] body = Objects.requireNonNull(answer.getBody());
        assertThat(body.length).isLessThan(large.length() / 10);
        assertThat(new String(Gzip.unpacked(body), StandardCharsets.UTF_8)).isEqualTo(large);
        assertThat(answer.getHeaders().getFirst(HttpHeaders.CONTENT_ENCODING)).isEqualTo("gzip");
        assertThat(answer.getHeaders().getVary()).containsExactly("HX-Request", "Cookie", "Accept-Encoding");
    }

    @Test
    void every_address_and_every_part_is_its_own() {
        assertThat(text(NOBODY, "/leaderboard", false)).isEqualTo("made 1");
        assertThat(text(NOBODY, "/leaderboard?jdk=25", false)).isEqualTo("made 2");
        assertThat(text(NOBODY, "/leaderboard", true)).isEqualTo("made 3");
        assertThat(text(NOBODY, "/leaderboard", false)).isEqualTo("made 1");
    }

    @Test
    void who_is_known_gets_none_of_it_and_leaves_none() {
        assertThat(text(SOMEBODY, "/leaderboard", false)).isEqualTo("made 1");
        assertThat(text(NOBODY, "/leaderboard", false)).isEqualTo("made 2");
        assertThat(text(SOMEBODY, "/leaderboard", false)).isEqualTo("made 3");
        Caller token = new Caller.Token("tok_a", new WorkspaceId(1), Set.of());
        assertThat(text(token, "/leaderboard", false)).isEqualTo("made 4");
    }

    @Test
    void who_asks_while_it_is_made_waits_for_it_and_who_leaves_takes_it_from_nobody() {
        Sinks.One<ResponseEntity<byte[]>> slow = Sinks.one();
        Function<PageContext, Mono<ResponseEntity<byte[]>>> slowly = shell -> {
            made.incrementAndGet();
            return slow.asMono();
        };
        AtomicInteger answered = new AtomicInteger();
        Disposable impatient = page(NOBODY, "/compare", false, slowly).subscribe();
        Disposable patient = page(NOBODY, "/compare", false, slowly).subscribe(answer -> answered.incrementAndGet());
        impatient.dispose();
        assertThat(slow.tryEmitValue(page("at last"))).isEqualTo(Sinks.EmitResult.OK);
        assertThat(patient.isDisposed()).isTrue();
        assertThat(answered).hasValue(1);
        assertThat(made).hasValue(1);
        assertThat(text(NOBODY, "/compare", false)).isEqualTo("at last");
    }

    @Test
    void an_error_is_not_kept() {
        assertThatThrownBy(() -> page(NOBODY, "/compare", false, shell -> Mono.error(new IllegalStateException("no")))
                        .block(Duration.ofMinutes(2)))
                .hasMessageContaining("no");
        assertThat(text(NOBODY, "/compare", false)).isEqualTo("made 1");
    }

    @Test
    void a_kept_page_names_its_content_and_keeps_its_headers() {
        HttpHeaders first = Objects.requireNonNull(
                        page(NOBODY, "/a", false, make).block(Duration.ofMinutes(2)))
                .getHeaders();
        HttpHeaders other = Objects.requireNonNull(
                        page(NOBODY, "/b", false, make).block(Duration.ofMinutes(2)))
                .getHeaders();
        assertThat(first.getVary()).containsExactly("HX-Request", "Cookie");
        assertThat(first.getETag()).matches("W/\"[0-9a-f]{32}\"").isNotEqualTo(other.getETag());
    }

    @Test
    void a_form_with_a_token_cannot_be_kept() {
        assertThatThrownBy(() -> page(NOBODY, "/a", false, shell -> Mono.fromSupplier(() -> page(shell.formToken())))
                        .block(Duration.ofMinutes(2)))
                .hasMessageContaining("form with a token: /a");
    }

    @Test
    void without_a_time_nothing_is_kept() {
        PageCache never = new PageCache(Duration.ZERO, nanos::get);
        for (int i = 1; i <= 2; i++) {
            assertThat(body(never.page(shell(NOBODY, "/a", false), make))).isEqualTo("made " + i);
        }
    }

    private String text(Caller caller, String path, boolean fragment) {
        return body(page(caller, path, fragment, make));
    }

    private Mono<ResponseEntity<byte[]>> page(
            Caller caller, String path, boolean fragment, Function<PageContext, Mono<ResponseEntity<byte[]>>> by) {
        return kept.page(shell(caller, path, fragment), by);
    }

    private static PageContext shell(Caller caller, String path, boolean fragment) {
        return new PageContext(caller, path, "", fragment, () -> "token");
    }

    private static String body(Mono<ResponseEntity<byte[]>> page) {
        byte[] body = Objects.requireNonNull(page.block(Duration.ofMinutes(2))).getBody();
        return new String(Objects.requireNonNull(body), StandardCharsets.UTF_8);
    }

    private static ResponseEntity<byte[]> page(String text) {
        return ResponseEntity.ok()
                .header(HttpHeaders.VARY, "HX-Request", "Cookie")
                .body(text.getBytes(StandardCharsets.UTF_8));
    }
}
