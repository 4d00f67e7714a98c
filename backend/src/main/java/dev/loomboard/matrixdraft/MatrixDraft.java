package dev.loomboard.matrixdraft;

import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.scenario.Load;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Problem.FieldError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A matrix of what is ticked in the form; whatever cannot be ticked there is as in another matrix, its base. */
final class MatrixDraft {

    /** The machine of which somebody has ticked something: of that one nothing ticked means nothing. */
    static final String PICKED = "picked";

    static final String MACHINE = "machine";
    static final String BASE = "base";
    static final String NAME = "name";
    static final String TITLE = "title";
    static final String VARIANTS = "variant";
    static final String WORKLOADS = "workload";
    static final String JDKS = "jdk";
    /** Selectors that are typed. */
    static final String MORE_JDKS = "jdks";

    static final String RATE = "rate";
    static final String SECONDS = "seconds";
    static final String TRIALS = "trials";

    private static final double USUAL_RATE = 100;
    private static final double USUAL_SECONDS = 20;

    private final FormState form;
    private final MatrixSpec base;
    private final Offer offer;
    private final List<FieldError> problems = new ArrayList<>();

    private MatrixDraft(FormState form, MatrixSpec base, Offer offer) {
        this.form = form;
        this.base = base;
        this.offer = offer;
    }

    /** @param spec null: there are problems */
    record Made(@Nullable MatrixSpec spec, List<FieldError> problems) {}

    static Made of(FormState form, MatrixSpec base, Offer offer) {
        return new MatrixDraft(form, base, offer).made();
    }

    /** What is ticked before anybody ticked: as much of the base as the machine has. What was typed stays. */
    static FormState first(FormState asked, MatrixSpec base, Offer offer) {
        Map<String, List<String>> values = new HashMap<>(asked.values());
        Set<String> words = new HashSet<>();
        offer.jdks().forEach(jdk -> words.add(jdk.word()));
        values.putIfAbsent(NAME, List.of("my-" + base.name()));
        values.putIfAbsent(TITLE, List.of("My " + base.title()));
        values.put(
                VARIANTS,
                base.dimensions().servers().stream()
                        .flatMap(server -> server.variants().stream().map(v -> Offer.variant(server.server(), v)))
                        .toList());
        values.put(
                WORKLOADS,
                base.dimensions().scenarios().stream()
                        .map(MatrixSpec.Scenario::workload)
                        .distinct()
                        .toList());
        values.put(
                JDKS, base.dimensions().jdks().stream().filter(words::contains).toList());
        values.put(MORE_JDKS, List.of(base.dimensions().jdkLimit() == null ? others(base, words) : ""));
        return new FormState(values, List.of());
    }

    /** Selectors of the base that cannot be ticked. Where it keeps only the first builds, such as of "all", they only fill up, and are left out. */
    private static String others(MatrixSpec base, Set<String> words) {
        return base.dimensions().jdks().stream()
                .filter(jdk -> !words.contains(jdk))
                .collect(Collectors.joining(" "));
    }

    private Made made() {
        MatrixSpec spec = new MatrixSpec(
                MatrixSpec.SCHEMA,
                form.value(NAME).strip(),
                form.value(TITLE).strip(),
                base.protocol(),
                new MatrixSpec.Dimensions(
                        jdks(),
                        null,
                        servers(),
                        scenarios(),
                        base.dimensions().collectors(),
                        base.dimensions().limits(),
                        List.of()),
                base.jvmOptions(),
                trials(),
                base.phases(),
                base.maxWorkers(),
                base.timeoutSeconds(),
                base.requires());
        return new Made(problems.isEmpty() ? spec : null, List.copyOf(problems));
    }

    private List<String> jdks() {
        List<String> jdks = Stream.concat(
                        form.all(JDKS).stream(),
                        Stream.of(form.value(MORE_JDKS).strip().split("[\\s,]+")))
                .filter(word -> !word.isEmpty())
                .distinct()
                .toList();
        if (jdks.isEmpty()) {
            refuse("JDK builds", "choose at least one");
        }
        return jdks;
    }

    private List<MatrixSpec.Servers> servers() {
        Map<String, List<String>> byServer = new LinkedHashMap<>();
        Set<String> offered = offer.variants();
        for (String picked : form.all(VARIANTS)) {
            int slash = picked.indexOf('/');
            if (offered.contains(picked)) {
                byServer.computeIfAbsent(picked.substring(0, slash), server -> new ArrayList<>())
                        .add(picked.substring(slash + 1));
            }
        }
        if (byServer.isEmpty()) {
            refuse("servers", "choose at least one variant");
        }
        return byServer.entrySet().stream()
                .map(server -> new MatrixSpec.Servers(server.getKey(), server.getValue()))
                .toList();
    }

    private List<MatrixSpec.Scenario> scenarios() {
        Double rate = number(RATE);
        Double seconds = number(SECONDS);
        List<String> picked = offer.workloads().stream()
                .map(Offer.Workload::name)
                .filter(name -> form.is(WORKLOADS, name))
                .toList();
        if (picked.isEmpty()) {
            refuse("workloads", "choose at least one");
        }
        return picked.stream()
                .flatMap(workload -> scenarios(workload, rate, seconds).stream())
                .toList();
    }

    /** As the base loads it, unless a rate is given. */
    private List<MatrixSpec.Scenario> scenarios(String workload, @Nullable Double rate, @Nullable Double seconds) {
        List<MatrixSpec.Scenario> own = base.dimensions().scenarios().stream()
                .filter(scenario -> scenario.workload().equals(workload))
                .toList();
        if (rate == null && seconds == null && !own.isEmpty()) {
            return own;
        }
        Load load = new Load.Constant(rate == null ? USUAL_RATE : rate, seconds == null ? USUAL_SECONDS : seconds);
        return List.of(new MatrixSpec.Scenario(
                workload, own.isEmpty() ? Map.of() : own.getFirst().params(), load));
    }

    private MatrixSpec.Trials trials() {
        Double typed = number(TRIALS);
        if (typed == null) {
            return base.trials();
        }
        if (typed != Math.rint(typed)) {
            refuse(TRIALS, "must be a whole number");
        }
        int scored = typed.intValue();
        return new MatrixSpec.Trials(
                scored,
                base.trials().diagnostic(),
                scored < MatrixSpec.Trials.LEAST_PILOT ? null : base.trials().further());
    }

    /** Null: none is given. */
    private @Nullable Double number(String field) {
        String typed = form.value(field).strip();
        if (typed.isEmpty()) {
            return null;
        }
        if (!typed.matches("\\d{1,7}(\\.\\d{1,6})?")) {
            refuse(field, "must be a number such as 300, is: " + typed);
            return null;
        }
        return Double.valueOf(typed);
    }

    private void refuse(String field, String message) {
        problems.add(new FieldError(field, message));
    }
}
