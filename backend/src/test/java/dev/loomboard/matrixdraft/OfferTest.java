package dev.loomboard.matrixdraft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.Availability;
import dev.loomboard.cell.ConcurrencyModel;
import dev.loomboard.inventory.ServerOffer;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.jdk.JdkVersion;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a machine offers to pick from. */
final class OfferTest {

    private static final String DIGEST = "a".repeat(64);

    @Test
    void words_are_those_that_select_something_there_newest_first() {
        Offer offer = new Offer(
                List.of(), List.of(build("21.0.9+10", 21, Availability.GA), build("28-ea+18", 28, Availability.EA)));
        assertThat(offer.jdks())
                .containsExactly(
                        new Offer.Jdk("latest-ga", List.of("21.0.9+10 temurin")),
                        new Offer.Jdk("latest-ea", List.of("28-ea+18 temurin")),
                        new Offer.Jdk("28-ea", List.of("28-ea+18 temurin")),
                        new Offer.Jdk("21", List.of("21.0.9+10 temurin")));
        assertThat(new Offer(List.of(), List.of()).jdks()).isEmpty();
    }

    @Test
    void a_server_that_is_not_built_and_a_workload_without_its_database_are_left_out() {
        Offer offer = new Offer(
                List.of(
                        server(
                                "jetty",
                                DIGEST,
                                workload("io", null),
                                workload("todo", ServerOffer.WorkloadOffer.Database.MISSING)),
                        server("nginx", null, workload("json", null)),
                        server(
                                "vertx",
                                DIGEST,
                                workload("io", null),
                                workload("sql", ServerOffer.WorkloadOffer.Database.READY))),
                List.of());
        assertThat(offer.servers()).extracting(ServerOffer::name).containsExactly("jetty", "vertx");
        assertThat(offer.variants()).containsExactly("jetty/virtual", "vertx/virtual");
        assertThat(offer.workloads())
                .containsExactly(
                        new Offer.Workload("io", "delayMs 100", List.of("jetty", "vertx")),
                        new Offer.Workload("sql", "delayMs 100", List.of("vertx")));
    }

    private static ServerOffer server(String name, @Nullable String digest, ServerOffer.WorkloadOffer... workloads) {
        return new ServerOffer(
                name,
                name,
                name,
                null,
                21,
                "G1",
                digest,
                List.of(new ServerOffer.VariantOffer("virtual", ConcurrencyModel.VIRTUAL_THREADS)),
                List.of(workloads));
    }

    private static ServerOffer.WorkloadOffer workload(
            String name, ServerOffer.WorkloadOffer.@Nullable Database database) {
        return new ServerOffer.WorkloadOffer(name, 1, Map.of("delayMs", 100), null, database, null);
    }

    private static JdkBuild build(String version, int feature, Availability availability) {
        return new JdkBuild(
                new JdkBuild.Internals(feature, JdkVersion.parse(version).order()),
                "temurin-" + version,
                "temurin-" + version,
                "temurin",
                version,
                feature,
                availability,
                "amd64");
    }
}
