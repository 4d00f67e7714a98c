package dev.loomboard.trial;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.artefact.Diagnostics;
import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.CellIdentity;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.Version;
import dev.loomboard.measurement.DoctorReport;
import dev.loomboard.measurement.MetricValue;
import dev.loomboard.view.Chart;
import dev.loomboard.view.Format;
import dev.loomboard.view.Scenario;
import dev.loomboard.web.Page;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One trial, down to its samples.
 *
 * @param curve of the step that the URL names
 * @param charts in the order of the page; their tables hold the same numbers
 * @param diagnostics what a diagnostic trial left; nothing of a scored one
 */
public record TrialPage(
        @JsonUnwrapped TrialDetail trial, @Nullable PercentileCurve curve, List<Chart> charts, Diagnostics diagnostics)
        implements Page {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String ABSENT = "not measured";

    /** A derived metric of the trial; {@code value} null: not measured. */
    public record Number(Metric metric, @Nullable MetricValue value) {}

    public TrialPage {
        charts = List.copyOf(charts);
    }

    @JsonIgnore
    public String workloadVersion() {
        return Version.ofWorkload(trial.setup().scenarioKey());
    }

    public Scenario scenario() {
        return Scenario.of(trial.setup().scenarioKey());
    }

    @JsonIgnore
    public Jdk jdk() {
        return trial.setup().jdk();
    }

    public String name() {
        return trial.setup().server().name() + " " + trial.setup().server().variant() + " on " + jdk().shortVersion();
    }

    public boolean diagnostic() {
        return trial.kind().equals("diagnostic");
    }

    /** Invalid (a spoilt generator) is neither failed nor aborted. */
    public String standing() {
        return trial.state().equals("done") && "invalid".equals(trial.validity()) ? "invalid" : trial.state();
    }

    /** Every derived metric of the catalogue that a trial of this kind has: those not measured too. */
    public List<Number> numbers() {
        return Metrics.all().list().stream()
                .filter(Metric::ofTrial)
                .filter(m -> m.trialKind().equals("both")
                        || m.trialKind().equals(trial.kind())
                        || trial.metrics().containsKey(m.name()))
                .map(m -> new Number(m, trial.metrics().get(m.name())))
                .toList();
    }

    /** Who spoke HTTP, over all steps. */
    public String sentBy() {
        return trial.steps().stream()
                .map(step -> step.sentBy() == null ? "a transport that its agent did not name" : step.sentBy())
                .distinct()
                .collect(Collectors.joining("; "));
    }

    public @Nullable Chart chart(String id) {
        return charts.stream().filter(c -> c.id().equals(id)).findFirst().orElse(null);
    }

    public @Nullable Duration took() {
        return trial.startedAt() == null || trial.finishedAt() == null
                ? null
                : Duration.between(trial.startedAt(), trial.finishedAt());
    }

    public List<String> commandLine() {
        return texts(trial.startFacts().path("commandLine"));
    }

    /** As a shell would take it; the machine's folders are not known here. */
    public String command() {
        return commandLine().stream().map(TrialPage::quoted).collect(Collectors.joining(" "));
    }

    /** The same cell again, with no service. */
    public String repeat() {
        CellIdentity s = trial.setup();
        return "loomboard-agent bench -f <the run's matrix>.yaml -only '"
                + s.server().name() + " " + s.server().variant() + " " + s.workload() + "' -jdk "
                + s.jdk().slug();
    }

    /** Which CPUs server, load and agent were kept on; null: its agent did not say. */
    public @Nullable String cpuSets() {
        JsonNode sets = trial.startFacts().path("cpuSets");
        if (sets.has("server")) {
            return "server " + sets.path("server").asString() + ", load "
                    + sets.path("load").asString("any") + ", agent "
                    + sets.path("agent").asString("any");
        }
        return sets.has("shared") ? "all on all: " + sets.path("shared").asString() : null;
    }

    public Map<String, String> flags() {
        return strings(trial.endFacts().path("flags"));
    }

    /** One per step; empty when it was not possible. */
    public List<Attribution> attribution() {
        return Attribution.of(trial.endFacts());
    }

    /** The cell's diagnostic trial that has ended; null: there is none, or it is this one. */
    public TrialDetail.@Nullable Sibling diagnosticSibling() {
        return diagnostic()
                ? null
                : trial.siblings().stream()
                        .filter(s -> s.kind().equals("diagnostic") && s.state().equals("done"))
                        .findFirst()
                        .orElse(null);
    }

    /** Null: its agent did not look, or could not when this was stored. */
    public @Nullable DoctorReport doctor() {
        return trial.startFacts().has("doctor")
                ? JSON.convertValue(trial.startFacts().path("doctor"), DoctorReport.class)
                : null;
    }

    /** What else went on over the measured steps, by name of the metric in words; {@code not measured} where it could not be read. */
    public Map<String, String> noise() {
        Map<String, String> noise = new LinkedHashMap<>();
        trial.endFacts().path("noise").properties().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(e -> noise.put(noiseName(e.getKey()), noiseValue(e.getKey(), e.getValue())));
        return noise;
    }

    private static String noiseName(String name) {
        return Metrics.all().find(base(name)).map(Metric::title).orElse(base(name))
                + (name.endsWith(".min") ? ", lowest" : name.endsWith(".max") ? ", highest" : "");
    }

    private static String noiseValue(String name, JsonNode value) {
        String unit = Metrics.all().find(base(name)).map(Metric::unit).orElse("");
        return value.isNumber() ? Format.three(value.asDouble()) + " " + unit : ABSENT;
    }

    private static String base(String name) {
        return name.replaceFirst("\\.(min|max)$", "");
    }

    /** What was not measured, and why. */
    public Map<String, String> missing() {
        return strings(trial.endFacts().path("missing"));
    }

    @JsonIgnore
    public PhaseStrip phaseStrip() {
        return PhaseStrip.of(trial);
    }

    @JsonIgnore
    public SearchView search() {
        return SearchView.of(trial);
    }

    public List<JsonNode> collections() {
        return StreamSupport.stream(trial.endFacts().path("gcProof").spliterator(), false)
                .toList();
    }

    /** Null when the log could not be read: then there is nothing to say, not zero. */
    public @Nullable JsonNode safepoints() {
        JsonNode safepoints = trial.endFacts().path("safepoints");
        return safepoints.isObject() ? safepoints : null;
    }

    /** The collections of the measured steps, by the log; null when it could not be read. */
    public @Nullable JsonNode logged() {
        JsonNode gc = trial.endFacts().path("gc");
        return gc.isObject() ? gc : null;
    }

    /** MiB/s between the first collection and the last; not every collector's log tells. */
    public String allocationRate(JsonNode gc) {
        double seconds = gc.path("allocatedOverNs").asDouble(0) / 1e9;
        return gc.path("allocatedBytes").isNumber() && seconds > 0
                ? Format.three(gc.path("allocatedBytes").asDouble() / (1 << 20) / seconds) + " MiB/s"
                : ABSENT;
    }

    /** Whether classes came mapped from an archive (CDS), and how many. */
    public String archive() {
        JsonNode jvm = trial.endFacts().path("jvm");
        if (!jvm.path("archivedClasses").isNumber()) {
            return ABSENT;
        }
        return jvm.path("archivedClasses").asLong() == 0
                ? "not used"
                : whole(jvm, "archivedClasses") + " of " + whole(jvm, "loadedClasses") + " classes";
    }

    /** The clock that a core ran at before the server was started, and after it had ended. */
    public String clock() {
        JsonNode jvm = trial.endFacts().path("jvm");
        return gigahertz(jvm, "clockGHzBefore") + " → " + gigahertz(jvm, "clockGHzAfter") + ", time by "
                + word(jvm, "clockSource");
    }

    private static String gigahertz(JsonNode jvm, String field) {
        return jvm.path(field).isNumber() ? Format.three(jvm.path(field).asDouble()) + " GHz" : ABSENT;
    }

    /** A field of nanoseconds in ms; what is absent is said to be. */
    public String millis(JsonNode node, String field) {
        return node.path(field).isNumber() ? Format.three(node.path(field).asDouble() / 1e6) : ABSENT;
    }

    public String share(JsonNode node, String field) {
        return node.path(field).isNumber() ? Format.percent(node.path(field).asDouble()) : ABSENT;
    }

    public String word(JsonNode node, String field) {
        return node.path(field).isString() ? node.path(field).asString() : ABSENT;
    }

    public String whole(JsonNode node, String field) {
        return node.path(field).isNumber() ? Format.count(node.path(field).asLong()) : ABSENT;
    }

    public String mebi(JsonNode node, String field) {
        return node.path(field).isNumber() ? Format.three(node.path(field).asDouble() / (1 << 20)) + " MiB" : ABSENT;
    }

    public String pretty(JsonNode node) {
        return node.toPrettyString();
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(node -> texts.add(node.asString()));
        return texts;
    }

    private static Map<String, String> strings(JsonNode object) {
        Map<String, String> strings = new LinkedHashMap<>();
        object.properties().forEach(e -> strings.put(e.getKey(), e.getValue().asString()));
        return strings;
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:=+,@%{}-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    @Override
    public String template() {
        return "trial/trial.jte";
    }
}
