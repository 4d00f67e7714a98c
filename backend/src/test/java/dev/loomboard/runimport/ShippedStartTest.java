package dev.loomboard.runimport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kit.Bench;
import dev.loomboard.kit.OneAtATime;
import dev.loomboard.kit.Service;
import dev.loomboard.kit.StoreTest;
import dev.loomboard.leaderboard.LeaderboardStore;
import dev.loomboard.recompute.RecomputeService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A service that is started with a folder of results has them, without anybody's doing; those of this repository among them. */
@OneAtATime
final class ShippedStartTest extends StoreTest {

    private static final Path SOUND = Path.of("src/test/resources/fuzz/BundleFuzz/sound.zip");
    private static final Path SHIPPED = Path.of("results");
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    @TempDir
    Path folder;

    @Test
    void empty_service_has_what_ships_and_shows_first_what_is_its_own() throws IOException {
        List<Path> ships = shipped();
        for (Path bundle : ships) {
            Files.copy(bundle, folder.resolve(bundle.getFileName()));
        }
        Files.copy(SOUND, folder.resolve("sound.loomboard.zip"));
        try (ConfigurableApplicationContext service = Service.start(url, "--loomboard.shipped-results=" + folder)) {
            awaitRuns(ships.size() + 1);
            assertThat(texts("select origin_id from imported_run order by origin_id"))
                    .containsAll(listed());
            ShippedResults again =
                    await(service.getBean(ShippedResultsService.class).take(folder));
            assertThat(again).isEqualTo(new ShippedResults(ships.size() + 1, ships.size() + 1, List.of()));

            LeaderboardStore board = service.getBean(LeaderboardStore.class);
            assertThat(await(board.scenarios(new Caller.Anonymous(), null))).isNotEmpty();
            Bench bench = new Bench(database, "own");
            String own = "zz-own@1?;constant:rate=300,seconds=12";
            Bench.Cell cell = bench.cell(bench.jdk("own-25", 25, 1), "public", new Bench.Point(own, 9, "{}"));
            long trial = bench.measured(bench.planned(cell, "scored", 1, 1), 100, "valid")
                    .id();
            complete(service.getBean(RecomputeService.class)
                    .trialsEnded(List.of(trial))
                    .as(service.getBean(TransactionalOperator.class)::transactional));
            assertThat(await(board.scenarios(new Caller.Anonymous(), null)).getFirst())
                    .as("one row of a machine of this service, before all that was imported")
                    .isEqualTo(own);
        }
    }

    /** The bundles of this repository; where there are some, their list says so. */
    private static List<Path> shipped() throws IOException {
        try (Stream<Path> files = Files.list(SHIPPED)) {
            return files.filter(file -> file.toString().endsWith(".loomboard.zip"))
                    .toList();
        }
    }

    private static List<String> listed() throws IOException {
        List<String> runs = new ArrayList<>();
        Path list = SHIPPED.resolve("results.json");
        if (Files.exists(list)) {
            for (JsonNode run :
                    JsonMapper.shared().readTree(Files.readString(list)).path("runs")) {
                runs.add(run.path("run").asString());
            }
        }
        assertThat(runs).as("bundles in results.json").hasSize(shipped().size());
        return runs;
    }

    private void awaitRuns(long wanted) {
        Mono.defer(() -> database.sql("select count(*) from imported_run")
                        .map(row -> Objects.requireNonNull(row.get(0, Long.class)))
                        .one())
                .filter(runs -> runs == wanted)
                .repeatWhenEmpty(again -> again.delayElements(POLL))
                .block(LONGEST);
    }

    private List<String> texts(String sql) {
        return await(database.sql(sql)
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .all()
                .collectList());
    }
}
