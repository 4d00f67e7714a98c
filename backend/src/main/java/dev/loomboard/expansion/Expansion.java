package dev.loomboard.expansion;

import dev.loomboard.cell.CellSettings;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.inventory.ServerOffer;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.jdk.JdkSelectors;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.scenario.CanonicalText;
import dev.loomboard.scenario.DatabaseDelay;
import dev.loomboard.scenario.Load;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A matrix laid out on one machine. Cells of one server, variant, scenario, collector and limits stand next to each other, one
 * per build, so that a comparison appears early; {@link TrialPlan} orders their trials.
 *
 * @param seed what the order of its trials was drawn from
 * @param notices sentences on what was left out and why
 */
public record Expansion(long seed, List<Cell> cells, List<TrialSlot> trials, List<String> notices) {

    public Expansion {
        cells = List.copyOf(cells);
        trials = List.copyOf(trials);
        notices = List.copyOf(notices);
    }

    /** What its trials take at most, roughly, one after the other. */
    public double longestSeconds(MatrixSpec spec) {
        return trials.stream()
                .mapToDouble(
                        t -> spec.longestSeconds(cells.get(t.cell()).scenario().load(), t.kind()))
                .sum();
    }

    /** What came of it: a layout, or the reasons why there is nothing to run. */
    public sealed interface Result {}

    public record Expanded(Expansion expansion) implements Result {}

    /** @param reason one sentence that says what is missing; {@code notices} say more */
    public record Nothing(String reason, List<String> notices) implements Result {
        public Nothing {
            notices = List.copyOf(notices);
        }

        /** The reason and the notices as one text. */
        public String explained() {
            return notices.isEmpty() ? reason : reason + " (" + String.join("; ", notices) + ")";
        }
    }

    /**
     * @param selectors in place of the matrix's own, without its limit; empty: the matrix's own
     * @param builds those present on the machine
     */
    public static Result of(
            MatrixSpec spec, List<String> selectors, List<JdkBuild> builds, List<ServerOffer> servers, long seed) {
        return of(spec, selectors, builds, servers, group -> true, null, seed);
    }

    /** The builds that a matrix names, without a control. */
    public static JdkSelectors.Resolved selected(MatrixSpec spec, List<String> selectors, List<JdkBuild> builds) {
        Integer limit = spec.dimensions().jdkLimit();
        return selectors.isEmpty()
                ? JdkSelectors.resolve(builds, spec.dimensions().jdks(), limit == null ? 0 : limit)
                : JdkSelectors.resolve(builds, selectors, 0);
    }

    /**
     * @param wanted which groups ({@link TrialPlan#group}) are laid out; the others are left out without a notice
     * @param control internal key of a build that each group is laid out on too, whether or not the selectors name it; null: none
     */
    public static Result of(
            MatrixSpec spec,
            List<String> selectors,
            List<JdkBuild> builds,
            List<ServerOffer> servers,
            Predicate<String> wanted,
            @Nullable Long control,
            long seed) {
        boolean asksJdk = !selectors.isEmpty() || asksJdk(spec, servers);
        JdkSelectors.Resolved jdks =
                asksJdk ? selected(spec, selectors, builds) : new JdkSelectors.Resolved(List.of(), List.of());
        if (asksJdk && jdks.builds().isEmpty()) {
            List<String> asked = selectors.isEmpty() ? spec.dimensions().jdks() : selectors;
            String installed = builds.isEmpty()
                    ? "none that can be measured"
                    : JdkSelectors.slugs(
                            builds.stream().sorted(JdkBuild.NEWEST_FIRST).toList());
            return new Nothing(
                    "no JDK matches the selectors [" + String.join(", ", asked) + "]; installed: " + installed,
                    jdks.notices());
        }
        Set<JdkBuild> all = new LinkedHashSet<>(jdks.builds());
        builds.stream().filter(b -> control != null && b.key() == control).forEach(all::add);
        return new Layout(spec, List.copyOf(all), servers, jdks.notices(), wanted, !selectors.isEmpty()).result(seed);
    }

    /** Whether a matrix needs a JDK: not when all its servers are there and have no JVM. */
    public static boolean asksJdk(MatrixSpec spec, List<ServerOffer> servers) {
        return !spec.dimensions().servers().stream()
                .allMatch(wanted -> servers.stream().anyMatch(s -> s.name().equals(wanted.server()) && !s.hasJvm()));
    }

    /** @param build internal key */
    public boolean measures(long build) {
        return cells.stream().anyMatch(cell -> cell.jdk().key() == build);
    }

    /**
     * The walk through the dimensions, gathering cells, trials and notices. {@code jdksAlone}: who chose the builds asks for what differs
     * between them, so what has none is left out.
     */
    private static final class Layout {
        private final MatrixSpec spec;
        private final List<JdkBuild> jdks;
        private final Predicate<String> wanted;
        private final boolean jdksAlone;
        private final Map<String, ServerOffer> offers = new HashMap<>();
        private final List<Cell> cells = new ArrayList<>();
        private final List<TrialPlan.Place> places = new ArrayList<>();
        private final Set<String> notices = new LinkedHashSet<>();

        Layout(
                MatrixSpec spec,
                List<JdkBuild> jdks,
                List<ServerOffer> servers,
                List<String> notices,
                Predicate<String> wanted,
                boolean jdksAlone) {
            this.spec = spec;
            this.jdksAlone = jdksAlone;
            this.jdks = jdks;
            this.wanted = wanted;
            servers.forEach(s -> offers.put(s.name(), s));
            this.notices.addAll(notices);
        }

        Result result(long seed) {
            for (MatrixSpec.Scenario scenario : spec.dimensions().scenarios()) {
                for (MatrixSpec.Servers wanted : spec.dimensions().servers()) {
                    ServerOffer offer = offers.get(wanted.server());
                    if (offer == null) {
                        notices.add("server " + wanted.server() + " is not on this machine");
                    } else if (offer.digest() == null) {
                        notices.add("server " + wanted.server() + " is not built or installed on this machine");
                    } else {
                        server(scenario, wanted, offer);
                    }
                }
            }
            return cells.isEmpty()
                    ? new Nothing("nothing of the matrix can run on this machine", List.copyOf(notices))
                    : new Expanded(new Expansion(
                            seed,
                            cells,
                            TrialPlan.of(places, cell -> spec.trials().scored(), this::diagnostic, seed),
                            List.copyOf(notices)));
        }

        private void server(MatrixSpec.Scenario scenario, MatrixSpec.Servers wanted, ServerOffer offer) {
            var workload = offer.workload(scenario.workload());
            if (workload.isEmpty()) {
                notices.add("server " + offer.name() + " has no workload " + scenario.workload());
                return;
            }
            if (workload.get().database() == ServerOffer.WorkloadOffer.Database.MISSING) {
                notices.add("workload " + scenario.workload() + " asks a database, and this machine has none");
                return;
            }
            if (workload.get().operations() != null && scenario.load() instanceof Load.Batch) {
                notices.add("workload " + scenario.workload() + " is a mix of operations, and a batch runs one");
                return;
            }
            if (!offer.hasJvm() && jdksAlone) {
                notices.add("server " + offer.name() + " has no JVM, and the run chooses JDKs");
                return;
            }
            if (!offer.hasJvm() && spec.phases().adaptive() != null) {
                notices.add("server " + offer.name() + " has no JVM, whose warmth ends adaptive phases");
                return;
            }
            List<@Nullable DatabaseDelay> delays = delays(workload.get());
            List<JdkBuild> able = able(offer);
            for (String name : wanted.variants()) {
                var variant = offer.variant(name);
                if (variant.isEmpty()) {
                    notices.add("server " + offer.name() + " has no variant " + name);
                    continue;
                }
                for (String collector : collectors(offer)) {
                    for (Limits limits : spec.dimensions().limits().isEmpty()
                            ? List.of(Limits.NONE)
                            : spec.dimensions().limits()) {
                        for (DatabaseDelay delay : delays) {
                            group(scenario, offer, variant.get(), workload.get(), collector, limits, delay, able);
                        }
                    }
                }
            }
        }

        /** The builds that a server runs on; of one without a JVM, that there is none. */
        private List<JdkBuild> able(ServerOffer offer) {
            if (!offer.hasJvm()) {
                return List.of(JdkBuild.NONE);
            }
            jdks.stream()
                    .filter(jdk -> !offer.runsOn(jdk.feature()))
                    .forEach(jdk -> notices.add("server " + offer.name() + " needs Java " + offer.java() + ", "
                            + jdk.agentSlug() + " is older"));
            return jdks.stream().filter(jdk -> offer.runsOn(jdk.feature())).toList();
        }

        private List<String> collectors(ServerOffer offer) {
            String own = offer.collector();
            if (own == null) {
                return List.of(CellSettings.NO_COLLECTOR);
            }
            return spec.dimensions().collectors().isEmpty()
                    ? List.of(own)
                    : spec.dimensions().collectors();
        }

        /** Those of the matrix for a workload that asks a database; null: nothing is put between. */
        private List<@Nullable DatabaseDelay> delays(ServerOffer.WorkloadOffer workload) {
            List<@Nullable DatabaseDelay> delays = new ArrayList<>();
            if (workload.database() != null) {
                delays.addAll(spec.dimensions().delays());
            } else if (!spec.dimensions().delays().isEmpty()) {
                notices.add("workload " + workload.name() + " asks no database, so nothing is delayed");
            }
            if (delays.isEmpty()) {
                delays.add(null);
            }
            return delays;
        }

        private void group(
                MatrixSpec.Scenario scenario,
                ServerOffer offer,
                ServerOffer.VariantOffer variant,
                ServerOffer.WorkloadOffer workload,
                String collector,
                Limits limits,
                @Nullable DatabaseDelay delay,
                List<JdkBuild> able) {
            Map<String, Object> params = new HashMap<>(workload.params());
            params.putAll(scenario.params());
            String key = CanonicalText.scenarioKey(workload.name(), workload.version(), params, delay, scenario.load());
            String group = TrialPlan.group(offer.name(), variant.name(), key, collector, limits);
            if (!wanted.test(group)) {
                return;
            }
            ServerVariant server =
                    new ServerVariant(offer.name(), variant.name(), variant.concurrencyModel(), offer.framework());
            PlannedScenario planned =
                    new PlannedScenario(key, workload.name(), workload.version(), params, scenario.load(), delay);
            double declaredDelay =
                    declaredDelay(params, workload.declaredDelayParam()) + (delay == null ? 0 : delay.roundTripMs());
            CellSettings settings = new CellSettings(
                    collector, offer.hasJvm() ? spec.jvmOptions() : List.of(), limits, spec.protocol());
            for (JdkBuild jdk : able) {
                places.add(TrialPlan.Place.of(spec.trials(), group, key));
                cells.add(new Cell(cells.size(), server, planned, declaredDelay, settings, jdk));
            }
        }

        /** Diagnostic trials carry agents of a JVM. */
        private int diagnostic(int cell) {
            return cells.get(cell).jdk().equals(JdkBuild.NONE)
                    ? 0
                    : spec.trials().diagnostic();
        }

        private static double declaredDelay(Map<String, Object> params, @Nullable String param) {
            Object value = param == null ? null : params.get(param);
            return value instanceof Number number ? number.doubleValue() : 0;
        }
    }
}
