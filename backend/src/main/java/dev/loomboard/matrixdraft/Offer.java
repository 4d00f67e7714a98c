package dev.loomboard.matrixdraft;

import dev.loomboard.inventory.ServerOffer;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.jdk.JdkSelectors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a machine has.
 *
 * @param servers that are built there
 */
public record Offer(List<ServerOffer> servers, List<JdkBuild> builds) {

    private static final List<String> NEWEST = List.of("latest-ga", "latest-ea");

    public Offer {
        servers = servers.stream().filter(server -> server.digest() != null).toList();
        builds = List.copyOf(builds);
    }

    /**
     * @param words its parameters where they are not given
     * @param servers that have it
     */
    public record Workload(String name, String words, List<String> servers) {}

    /** @param builds that the word selects there now */
    public record Jdk(String word, List<String> builds) {}

    /** A server and one of its variants, as one value. */
    public static String variant(String server, String variant) {
        return server + "/" + variant;
    }

    Set<String> variants() {
        return servers.stream()
                .flatMap(server -> server.variants().stream().map(v -> variant(server.name(), v.name())))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** By name. Of a workload that servers have with different parameters those of the first are told. */
    public List<Workload> workloads() {
        Map<String, Workload> all = new LinkedHashMap<>();
        for (ServerOffer server : servers) {
            for (ServerOffer.WorkloadOffer offered : server.workloads()) {
                if (offered.database() != ServerOffer.WorkloadOffer.Database.MISSING) {
                    all.computeIfAbsent(offered.name(), name -> new Workload(name, words(offered), new ArrayList<>()))
                            .servers()
                            .add(server.name());
                }
            }
        }
        return all.values().stream()
                .sorted((a, b) -> a.name().compareTo(b.name()))
                .toList();
    }

    private static String words(ServerOffer.WorkloadOffer offered) {
        return offered.params().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(param -> param.getKey() + " " + param.getValue())
                .collect(Collectors.joining(", "));
    }

    /** Words that select something there: the newest, then each feature release. */
    public List<Jdk> jdks() {
        Set<String> words = new LinkedHashSet<>(NEWEST);
        builds.stream()
                .sorted(JdkBuild.NEWEST_FIRST)
                .forEach(build -> words.add(
                        switch (build.availability()) {
                            case GA -> "" + build.feature();
                            case EA -> build.feature() + "-ea";
                        }));
        return words.stream()
                .map(word -> new Jdk(
                        word,
                        JdkSelectors.resolve(builds, List.of(word), Integer.MAX_VALUE).builds().stream()
                                .map(build -> build.runtimeVersion() + " " + build.vendor())
                                .toList()))
                .filter(jdk -> !jdk.builds().isEmpty())
                .toList();
    }
}
