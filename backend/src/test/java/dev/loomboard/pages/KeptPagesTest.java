package dev.loomboard.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Bench;
import dev.loomboard.kit.OneAtATime;
import dev.loomboard.kit.Service;
import dev.loomboard.kit.StoreTest;
import dev.loomboard.recompute.RecomputeService;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What makes a kept page old, in a service that keeps pages for as long as it may. */
@OneAtATime
final class KeptPagesTest extends StoreTest {

    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(50);

    private final HttpClient http = HttpClient.newHttpClient();
    private ConfigurableApplicationContext service;

    @BeforeAll
    void startService() {
        service = Service.start(url, "--loomboard.pages.kept-for=1ms");
        Bench bench = new Bench(database, "kept");
        bench.qualify();
        List<Long> trials = new ArrayList<>();
        for (int build = 1; build <= 2; build++) {
            Bench.Cell cell = bench.cell(bench.jdk("kept-" + build, 25, build), "public");
            trials.add(bench.measured(bench.planned(cell, "scored", 1, 1), 100 + build, "valid")
                    .id());
        }
        complete(service.getBean(RecomputeService.class)
                .trialsEnded(trials)
                .as(service.getBean(TransactionalOperator.class)::transactional));
    }

    @AfterAll
    void stopService() {
        service.close();
    }

    /** A change that no trigger tells of is not seen: so the page is kept. Any other change is. */
    @Test
    void is_kept_until_something_changes() {
        String path = "/series/" + series("response_p50_ms");
        assertThat(page(path)).contains("Bench");
        awaitThat("a page that is kept", () -> {
            String before = page(path);
            execute("alter table machine disable trigger user");
            execute("update machine set name = name || '+'");
            execute("alter table machine enable trigger user");
            return page(path).equals(before);
        });
        execute("update machine set name = name || ' renamed'");
        awaitThat("the change", () -> page(path).contains(machineName()));
    }

    private String machineName() {
        return texts("select name from machine where slug = 'kept'").getFirst();
    }

    /** A table without a trigger is read by none of them: they are answered while nobody can read it. */
    @Test
    void every_table_that_is_read_tells_of_its_changes() {
        List<String> silent = texts("""
                select c.relname from pg_class c
                 where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname not like 'qrtz%'
                   and c.relname <> 'flyway_schema_history'
                   and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'content_changed_tr')
                 order by 1""");
        assertThat(silent).contains("load_window", "session").doesNotContain("point");
        List<String> pages = List.of(
                "/",
                "/leaderboard",
                "/servers",
                "/servers/spring-mvc",
                "/compare?a=kept-1&b=kept-2",
                "/series/" + series("rss_mib"),
                "/regressions");
        await(transaction.transactional(database.sql(
                        "lock table " + String.join(", ", silent) + " in access exclusive mode")
                .then()
                .thenMany(Flux.fromIterable(pages)
                        .concatMap(path -> Mono.fromFuture(
                                        () -> http.sendAsync(request(path), HttpResponse.BodyHandlers.ofString()))
                                .doOnNext(answer ->
                                        assertThat(answer.statusCode()).as(path).isEqualTo(200))
                                .timeout(LONGEST)))
                .collectList()));
    }

    private String series(String metric) {
        return texts("select external_id from series where metric = '" + metric + "'")
                .getFirst();
    }

    private List<String> texts(String sql) {
        return await(database.sql(sql)
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .all()
                .collectList());
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create(
                        "http://127.0.0.1:" + service.getEnvironment().getProperty("local.server.port") + path))
                .timeout(LONGEST)
                .build();
    }

    private String page(String path) {
        try {
            HttpResponse<String> answer = http.send(request(path), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            return answer.body();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void awaitThat(String what, BooleanSupplier there) {
        assertThat(Flux.interval(Duration.ZERO, POLL)
                        .onBackpressureDrop()
                        .publishOn(Schedulers.boundedElastic(), 1)
                        .filter(time -> there.getAsBoolean())
                        .blockFirst(LONGEST))
                .as(what)
                .isNotNull();
    }
}
