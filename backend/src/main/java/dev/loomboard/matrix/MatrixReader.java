package dev.loomboard.matrix;

import dev.loomboard.cell.CanonicalText;
import dev.loomboard.cell.DatabaseDelay;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.Load;
import dev.loomboard.jdk.JdkSelectors;
import dev.loomboard.web.Problem.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads a matrix file and names every problem in it, each with the path of its field. */
public final class MatrixReader {

    static final int MAX_RATE = 50_000;
    static final int MAX_SECONDS = 3_600;
    private static final int MAX_TRIALS = 5_000;
    private static final int MAX_CHARACTERS = 200_000;
    private static final int MAX_WORKERS = 16_384;
    private static final int MAX_TIMEOUT = 240;
    private static final int MAX_SEED = 1_000_000_000;
    private static final int DEFAULT_WORKERS = 4_096;
    private static final int DEFAULT_TIMEOUT = 30;

    private static final Predicate<String> SLUG =
            Pattern.compile("[a-z0-9][a-z0-9-]{0,62}").asMatchPredicate();
    private static final String A_SLUG = "lower-case letters, digits and dashes, at most 63";
    private static final Predicate<String> PROTOCOL =
            Pattern.compile("[a-z0-9][a-z0-9-]{0,40}/[1-9][0-9]{0,3}").asMatchPredicate();
    private static final Set<String> COLLECTORS = Set.of("Serial", "Parallel", "G1", "ZGC", "Shenandoah");

    private final List<FieldError> problems = new ArrayList<>();

    private MatrixReader() {}

    /** What came of a text. */
    public sealed interface Reading {}

    public record Read(MatrixSpec spec) implements Reading {}

    /** @param problems all of them, never empty */
    public record Refused(List<FieldError> problems) implements Reading {
        public Refused {
            problems = List.copyOf(problems);
        }
    }

    public static Reading read(String yaml) {
        Object document;
        try {
            document = new Yaml(new SafeConstructor(options())).load(yaml);
        } catch (MarkedYAMLException e) {
            var mark = e.getProblemMark();
            String where = mark == null ? "(document)" : "line " + (mark.getLine() + 1);
            return new Refused(List.of(new FieldError(where, "is not YAML: " + e.getProblem())));
        } catch (YAMLException e) {
            return new Refused(List.of(new FieldError("(document)", "is not YAML: " + e.getMessage())));
        }
        MatrixReader reader = new MatrixReader();
        MatrixSpec spec = reader.matrix(Fields.of(document, "", reader.problems));
        return reader.problems.isEmpty() ? new Read(spec) : new Refused(reader.problems);
    }

    private static LoaderOptions options() {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        options.setMaxAliasesForCollections(20); // a few anchors, never a bomb
        options.setCodePointLimit(MAX_CHARACTERS);
        return options;
    }

    private MatrixSpec matrix(Fields f) {
        MatrixSpec spec = new MatrixSpec(
                f.text("schema", MatrixSpec.SCHEMA::equals, MatrixSpec.SCHEMA),
                f.text("name", SLUG, A_SLUG),
                f.text("title", t -> !t.isBlank() && t.length() <= 120, "a text of at most 120 characters"),
                f.text("protocol", PROTOCOL, "a name and a version such as quick/1"),
                f.texts(
                        "jdks",
                        false,
                        JdkSelectors::isWellFormed,
                        "a JDK selector such as 25, 28-ea, latest-ea or all"),
                f.has("jdkLimit") ? f.whole("jdkLimit", 1, 1, 100) : null,
                f.list("servers", false, this::servers),
                f.list("scenarios", false, this::scenario),
                f.texts("collectors", true, COLLECTORS::contains, "one of Serial, Parallel, G1, ZGC, Shenandoah"),
                f.list("limits", true, this::limits),
                f.list("delays", true, this::delay),
                f.texts(
                        "jvmOptions",
                        true,
                        o -> o.startsWith("-") && o.length() <= 200,
                        "a JVM option that begins with -"),
                trials(f.child("trials")),
                phases(f.child("phases")),
                f.whole("maxWorkers", DEFAULT_WORKERS, 1, MAX_WORKERS),
                f.has("timeoutSeconds") ? f.number("timeoutSeconds", 0, MAX_TIMEOUT) : DEFAULT_TIMEOUT);
        f.noOthers();
        if (problems.isEmpty()) {
            whole(f, spec);
        }
        return spec;
    }

    /** What can only be said of all fields together. */
    private void whole(Fields f, MatrixSpec spec) {
        if (spec.trials().diagnostic() > 0 && spec.phases().diagnostic() == null) {
            f.refuse(
                    "phases.diagnostic",
                    "is missing: trials.diagnostic is " + spec.trials().diagnostic());
        }
        LoadReader.checkBatch(f, spec);
        LoadReader.checkClosed(f, spec);
        if (spec.trialsPerJdk() > MAX_TRIALS) {
            f.refuse(
                    "(document)",
                    "asks for " + spec.trialsPerJdk() + " trials per JDK, " + MAX_TRIALS + " are the most");
        }
        if (spec.servers().stream().map(MatrixSpec.Servers::server).distinct().count()
                < spec.servers().size()) {
            f.refuse("servers", "must name each server once");
        }
        if (Set.copyOf(spec.limits()).size() < spec.limits().size()) {
            f.refuse("limits", "must name each pair of limits once");
        }
        if (Set.copyOf(spec.delays()).size() < spec.delays().size()) {
            f.refuse("delays", "must name each pair of delays once");
        }
    }

    private MatrixSpec.Servers servers(@Nullable Object value, String at) {
        Fields f = Fields.of(value, at, problems);
        var servers = new MatrixSpec.Servers(f.text("server", SLUG, A_SLUG), f.texts("variants", false, SLUG, A_SLUG));
        if (Set.copyOf(servers.variants()).size() < servers.variants().size()) {
            f.refuse("variants", "must name each variant once");
        }
        f.noOthers();
        return servers;
    }

    private Limits limits(@Nullable Object value, String at) {
        Fields f = Fields.of(value, at, problems);
        Double cpu = f.has("cpu") ? f.number("cpu", 0, Limits.MOST_CPU) : null;
        if (cpu != null && cpu < Limits.LEAST_CPU) {
            f.refuse(
                    "cpu",
                    "must be at least " + CanonicalText.number(Limits.LEAST_CPU) + ", is: "
                            + CanonicalText.number(cpu));
        }
        Integer memory = f.has("memoryMiB")
                ? Integer.valueOf(f.whole("memoryMiB", Limits.LEAST_MEMORY, Limits.LEAST_MEMORY, Limits.MOST_MEMORY))
                : null;
        f.noOthers();
        return new Limits(cpu, memory);
    }

    private DatabaseDelay delay(@Nullable Object value, String at) {
        Fields f = Fields.of(value, at, problems);
        var delay = new DatabaseDelay(
                f.whole("toDatabaseMs", 0, 0, DatabaseDelay.MOST), f.whole("fromDatabaseMs", 0, 0, DatabaseDelay.MOST));
        f.noOthers();
        return delay;
    }

    private MatrixSpec.Scenario scenario(@Nullable Object value, String at) {
        Fields f = Fields.of(value, at, problems);
        var scenario =
                new MatrixSpec.Scenario(f.text("workload", SLUG, A_SLUG), f.params("params"), load(f.child("load")));
        f.noOthers();
        return scenario;
    }

    private Load load(Fields f) {
        String profile =
                f.text("profile", LoadReader.PROFILES::contains, "one of " + String.join(", ", LoadReader.PROFILES));
        Load load = switch (profile) {
            case "steps" -> new Load.Steps(rates(f), f.number("seconds", 0, MAX_SECONDS));
            case "ramp" -> ramp(f);
            case "poisson" ->
                new Load.Poisson(
                        f.number("rate", 0, MAX_RATE),
                        f.number("seconds", 0, MAX_SECONDS),
                        f.whole("seed", 1, 1, MAX_SEED));
            case "search" -> LoadReader.search(f);
            case "closed" -> LoadReader.closed(f);
            case "batch" -> LoadReader.batch(f);
            default -> new Load.Constant(f.number("rate", 0, MAX_RATE), f.number("seconds", 0, MAX_SECONDS));
        };
        AttackLimits.check(f, load);
        f.noOthers();
        return load;
    }

    private List<Double> rates(Fields f) {
        return f.list("rates", false, (value, at) -> {
            if (value instanceof Number n && n.doubleValue() > 0 && n.doubleValue() <= MAX_RATE) {
                return n.doubleValue();
            }
            problems.add(new FieldError(at, "must be a rate above 0 and at most " + MAX_RATE + ", is: " + value));
            return null;
        });
    }

    private static Load ramp(Fields f) {
        return new Load.Ramp(
                f.number("start", 0, MAX_RATE),
                f.number("step", 0, MAX_RATE),
                f.number("seconds", 0, MAX_SECONDS),
                f.seconds("quietSeconds", 0, MAX_SECONDS),
                f.seconds("settleSeconds", 0, MAX_SECONDS),
                f.whole("stopAfterFailed", 3, 1, 100),
                f.whole("maxSteps", 40, 1, 500));
    }

    private static MatrixSpec.Trials trials(Fields f) {
        var trials = new MatrixSpec.Trials(
                f.whole("scored", 1, 1, 100),
                f.whole("diagnostic", 0, 0, 10),
                f.has("further") ? Integer.valueOf(f.whole("further", 1, 1, MatrixSpec.Trials.MOST_FURTHER)) : null);
        if (trials.further() != null && trials.scored() < MatrixSpec.Trials.LEAST_PILOT) {
            f.refuse(
                    "further",
                    "needs at least " + MatrixSpec.Trials.LEAST_PILOT
                            + " scored trials a cell, whose spread says who gets further ones");
        }
        f.noOthers();
        return trials;
    }

    private Phases phases(Fields f) {
        Phases phases = new Phases(
                f.list("warmup", true, this::warmup),
                f.seconds("settleSeconds", 0, MAX_SECONDS),
                f.seconds("rewarmSeconds", 0, MAX_SECONDS),
                f.has("diagnostic") ? diagnostic(f.child("diagnostic")) : null,
                LoadReader.adaptive(f));
        f.noOthers();
        return phases;
    }

    private Phases.Warmup warmup(@Nullable Object value, String at) {
        Fields f = Fields.of(value, at, problems);
        Phases.Warmup warmup = new Phases.Warmup(
                f.has("rate") ? f.number("rate", 0, MAX_RATE) : null,
                f.number("seconds", 0, MAX_SECONDS),
                f.flag("gcAfter") ? Boolean.TRUE : null,
                f.has("quietSeconds") ? f.seconds("quietSeconds", 0, MAX_SECONDS) : null);
        if (warmup.rate() != null) {
            AttackLimits.hits(f, warmup.rate(), warmup.seconds());
        }
        f.noOthers();
        return warmup;
    }

    private static Phases.Diagnostic diagnostic(Fields f) {
        var diagnostic =
                new Phases.Diagnostic(f.seconds("warmupSeconds", 0, MAX_SECONDS), f.number("seconds", 0, MAX_SECONDS));
        f.noOthers();
        return diagnostic;
    }
}
