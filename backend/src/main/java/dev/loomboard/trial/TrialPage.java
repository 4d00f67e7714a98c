package dev.loomboard.trial;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.artefact.Diagnostics;
import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.CellIdentity;
import dev.loomboard.cell.CellSettings;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.cell.TrialState;
import dev.loomboard.kernel.WireName;
import dev.loomboard.measurement.DoctorReport;
import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.measurement.TrialStart;
import dev.loomboard.rollup.Instrument;
import dev.loomboard.rollup.MetricValue;
import dev.loomboard.rollup.OperationNumbers;
import dev.loomboard.scenario.Load;
import dev.loomboard.scenario.Scenario;
import dev.loomboard.view.Chart;
import dev.loomboard.view.Format;
import dev.loomboard.view.Query;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.view.TrialLook;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import dev.loomboard.web.Urls;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One trial, down to its samples.
 *
 * @param curve of the step that the URL names
 * @param operations of that step, if the workload is a mix; else none
 * @param charts in the order of the page; their tables hold the same numbers
 * @param diagnostics what a diagnostic trial left; nothing of a scored one
 */
public record TrialPage(
        @JsonUnwrapped TrialDetail trial,
        @Nullable PercentileCurve curve,
        List<OperationNumbers> operations,
        List<Chart> charts,
        Diagnostics diagnostics)
        implements Page, PageTwin {

    private static final String ABSENT = "not measured";
    /** What is asked of a trial first, in this order. */
    private static final List<String> HEADLINES = List.of(
            "max_rate_per_s",
            "response_excess_p50_ms",
            "response_excess_p99_ms",
            "response_p50_ms",
            "response_p99_ms",
            "service_p50_ms",
            "service_p99_ms",
            "throughput_per_s",
            "error_ratio",
            "cpu_us_per_request",
            "rss_mib",
            "startup_ms");

    private static final Pattern COLLECTOR_FLAG = Pattern.compile("Use(Serial|Parallel|G1|Z|Shenandoah|Epsilon)GC");
    private static final String NO_JVM = ABSENT + ": the server has no JVM";

    /**
     * A derived metric of the trial.
     *
     * @param value null: not measured
     * @param resolution how far two values must lie apart to differ, in its unit; null: not measured, or finer than is ever judged
     */
    public record Number(
            Metric metric,
            @Nullable MetricValue value,
            @Nullable Double resolution) {}

    public TrialPage {
        operations = List.copyOf(operations);
        charts = List.copyOf(charts);
    }

    /** That its raw samples are no more, and what is left; null: they are there, or there were none. */
    public @Nullable String samplesRemoved() {
        Instant removed = trial.measured().samplesRemovedAt();
        Instant finished = trial.status().finishedAt();
        return removed == null || finished == null
                ? null
                : "Raw samples were removed on " + Format.minute(removed) + ", after "
                        + Duration.between(finished, removed).toDays() + " days; figures and histograms stay.";
    }

    public String workloadVersion() {
        return Scenario.Parts.of(trial.setup().scenarioKey())
                .map(Scenario.Parts::version)
                .orElse("");
    }

    public ScenarioText scenario() {
        return ScenarioText.of(trial.setup().scenarioKey());
    }

    public Jdk jdk() {
        return trial.setup().jdk();
    }

    public String title() {
        TrialDetail.Status status = trial.status();
        Instant started = status.startedAt();
        return name() + ", " + scenario().words() + ", " + status.kind().wire() + " trial " + status.ordinal() + " of "
                + trial.run().title() + " on " + trial.setup().machine().name()
                + (started == null ? "" : ", " + Format.minute(started));
    }

    /** Address of a chart's picture. */
    public String picture(Chart chart) {
        return new Query(
                        Urls.trial(trial.id()) + ".svg",
                        curve == null || curve.step() == 0 ? Map.of() : Map.of("step", String.valueOf(curve.step())))
                .with("chart", chart.id());
    }

    public String name() {
        return trial.setup().server().name() + " " + trial.setup().server().variant() + jdk().on();
    }

    /** In place of what only a JVM has. */
    public String unmeasured() {
        return jdk().none() ? NO_JVM : ABSENT;
    }

    public boolean diagnostic() {
        return trial.status().kind() == TrialKind.DIAGNOSTIC;
    }

    public TrialLook look() {
        return TrialLook.of(trial.status().state(), trial.status().validity());
    }

    /** Every derived metric of the catalogue that a trial of this kind has: those not measured too. */
    public List<Number> numbers() {
        return Metrics.all().list().stream()
                .filter(Metric::ofTrial)
                .filter(m -> m.trialKind().has(trial.status().kind())
                        || trial.measured().metrics().containsKey(m.name()))
                .map(this::number)
                .toList();
    }

    /** Of the numbers those that are asked for first; service times only where there is no response time. */
    public List<Number> headlines() {
        boolean responded = trial.measured().metrics().containsKey("response_p50_ms");
        return HEADLINES.stream()
                .filter(name -> !(responded && name.startsWith("service_")))
                .filter(trial.measured().metrics()::containsKey)
                .map(name -> number(Metrics.all().get(name)))
                .toList();
    }

    private Number number(Metric metric) {
        MetricValue value = trial.measured().metrics().get(metric.name());
        return new Number(
                metric,
                value,
                value == null
                        ? null
                        : Instrument.resolution(
                                metric.name(), value.value(), trial.setup().scenarioKey()));
    }

    /** Who spoke HTTP, over all steps. */
    public String sentBy() {
        return trial.measured().steps().stream()
                .map(step -> step.sentBy() == null ? "a transport that its agent did not name" : step.sentBy())
                .distinct()
                .collect(Collectors.joining("; "));
    }

    public @Nullable Duration took() {
        TrialDetail.Status status = trial.status();
        return status.startedAt() == null || status.finishedAt() == null
                ? null
                : Duration.between(status.startedAt(), status.finishedAt());
    }

    private TrialStart start() {
        return trial.facts().startFacts().read();
    }

    /** What its agent said of it at its end; all of it is missing before. */
    public TrialEnd end() {
        return trial.facts().endFacts().read();
    }

    /** What is left to explain a failure. */
    public List<Diagnostics.File> leftByFailure() {
        return diagnostics.files().stream().filter(f -> f.name().ofFailure()).toList();
    }

    /** As a shell would take it; the machine's folders are not known here. */
    public String command() {
        return start().commandLine().stream().map(TrialPage::quoted).collect(Collectors.joining(" "));
    }

    /** The same cell again, with no service. */
    public String repeat() {
        CellIdentity s = trial.setup();
        return "loomboard-agent bench -f matrix.yaml -only '"
                + s.server().name() + " " + s.server().variant() + " " + s.workload() + "'"
                + (s.jdk().none() ? "" : " -jdk " + s.jdk().slug());
    }

    /** Which CPUs server, load and agent were kept on; null: its agent did not say. */
    public @Nullable String cpuSets() {
        TrialStart.CpuSets sets = start().cpuSets();
        if (sets == null) {
            return null;
        }
        return sets.server() != null
                ? "server " + sets.server() + ", load " + Objects.requireNonNullElse(sets.load(), "any") + ", agent "
                        + Objects.requireNonNullElse(sets.agent(), "any")
                : sets.shared() == null ? null : "all on all: " + sets.shared();
    }

    /** By how much the environment was longer, what was read before the launch, and by which paths. */
    public String layout() {
        TrialStart.Layout layout = start().layout();
        return layout == null
                ? "left to chance"
                : "environment longer by " + layout.paddingBytes() + " bytes (drawn), "
                        + Format.three((double) layout.readAheadBytes() / (1 << 20))
                        + " MiB read ahead, JDK and server under "
                        + (Boolean.TRUE.equals(layout.equalPaths()) ? "paths of one length" : "their own paths");
    }

    /** The collector, and its heap. */
    public String heap() {
        TrialStart start = start();
        if (CellSettings.DEFAULTS.equals(start.collector())) {
            return chosenByJvm(end().flags());
        }
        return (start.collector() == null ? ABSENT : start.collector()) + ", "
                + (trial.facts().startFacts().sent().isEmpty() ? ABSENT : Format.count(start.heapMiB())) + " MiB";
    }

    private static String chosenByJvm(Map<String, String> flags) {
        String collector = flags.entrySet().stream()
                .filter(flag -> flag.getValue().equals("true"))
                .map(flag -> COLLECTOR_FLAG.matcher(flag.getKey()))
                .filter(Matcher::matches)
                .map(flag -> flag.group(1))
                .collect(Collectors.joining(", "));
        String most = flags.get("MaxHeapSize");
        return "chosen by the JVM: " + (collector.isEmpty() ? "collector " + ABSENT : collector) + ", "
                + (most == null || !most.matches("\\d{1,18}")
                        ? "heap " + ABSENT
                        : "at most " + Format.count(Long.parseLong(most) >> 20) + " MiB");
    }

    /** The server's own task, one run after the other in a fresh JVM. */
    public boolean coldByDefinition() {
        return Scenario.Parts.of(trial.setup().scenarioKey())
                .filter(parts -> parts.profile() == Load.Profile.BATCH)
                .isPresent();
    }

    /** The cell's diagnostic trial that has ended; null: there is none, or it is this one. */
    public TrialDetail.@Nullable Sibling diagnosticSibling() {
        return diagnostic()
                ? null
                : trial.siblings().stream()
                        .filter(s -> s.kind() == TrialKind.DIAGNOSTIC && s.state() == TrialState.DONE)
                        .findFirst()
                        .orElse(null);
    }

    /** Null: its agent did not look, or could not when this was stored. */
    public @Nullable DoctorReport doctor() {
        return start().doctor();
    }

    /** What else went on over the measured steps, by name of the metric in words; {@code not measured} where it could not be read. */
    public Map<String, String> noise() {
        Map<String, String> noise = new LinkedHashMap<>();
        new TreeMap<>(end().noise()).forEach((name, value) -> {
            if (!name.startsWith(TrialDatabase.METRICS)) {
                noise.put(noiseName(name), noiseValue(name, value));
            }
        });
        return noise;
    }

    /** That the agent started for this trial; null: none. */
    public @Nullable TrialDatabase database() {
        return TrialDatabase.of(start(), end());
    }

    private static String noiseName(String name) {
        return Metrics.all().find(base(name)).map(Metric::title).orElse(base(name))
                + (name.endsWith(".min") ? ", lowest" : name.endsWith(".max") ? ", highest" : "");
    }

    private static String noiseValue(String name, @Nullable Double value) {
        String unit = Metrics.all().find(base(name)).map(Metric::unit).orElse("");
        return value == null ? ABSENT : Format.three(value) + " " + unit;
    }

    private static String base(String name) {
        return name.replaceFirst("\\.(min|max)$", "");
    }

    public PhaseStrip phaseStrip() {
        return PhaseStrip.of(trial);
    }

    /** Null: the workload is no mix, or the URL names no step. */
    public @Nullable TrialOperations operationTable() {
        return operations.isEmpty()
                ? null
                : trial.measured().steps().stream()
                        .filter(step -> step.ordinal() == operations.getFirst().step())
                        .findFirst()
                        .map(step -> TrialOperations.of(step, operations))
                        .orElse(null);
    }

    public SearchView search() {
        return SearchView.of(trial);
    }

    /** MiB/s between the first collection and the last; not every collector's log has it. */
    public String allocationRate(TrialEnd.Collections gc) {
        double seconds = gc.allocatedOverNs() == null ? 0 : gc.allocatedOverNs() / 1e9;
        return gc.allocatedBytes() != null && seconds > 0
                ? Format.three((double) gc.allocatedBytes() / (1 << 20) / seconds) + " MiB/s"
                : ABSENT;
    }

    /** Whether classes came mapped from an archive (CDS), and how many. */
    public String archive() {
        TrialEnd.JvmFacts jvm = end().jvm();
        if (jvm == null || jvm.archivedClasses() == null) {
            return ABSENT;
        }
        return jvm.archivedClasses() == 0
                ? "not used"
                : whole(jvm.archivedClasses()) + " of " + whole(jvm.loadedClasses()) + " classes";
    }

    /** The clock that a core ran at before the server was started, and after it had ended. */
    public String clock() {
        TrialEnd.JvmFacts jvm = end().jvm();
        return jvm == null
                ? ABSENT + " → " + ABSENT + ", time by " + ABSENT
                : gigahertz(jvm.clockGHzBefore()) + " → " + gigahertz(jvm.clockGHzAfter()) + ", time by "
                        + Objects.requireNonNullElse(jvm.clockSource(), ABSENT);
    }

    private static String gigahertz(@Nullable Double value) {
        return value == null ? ABSENT : Format.three(value) + " GHz";
    }

    /** Nanoseconds in ms; what is absent is said to be. */
    public String millis(@Nullable Long nanos) {
        return nanos == null ? ABSENT : Format.three(nanos / 1e6);
    }

    public String share(@Nullable Double share) {
        return share == null ? ABSENT : Format.percent(share);
    }

    public String word(@Nullable WireName word) {
        return word == null ? ABSENT : word.wire();
    }

    public String whole(@Nullable Long count) {
        return count == null ? ABSENT : Format.count(count);
    }

    public String mebi(@Nullable Long bytes) {
        return bytes == null ? ABSENT : Format.three((double) bytes / (1 << 20)) + " MiB";
    }

    public String pretty(JsonNode node) {
        return node.toPrettyString();
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:=+,@%{}-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    @Override
    public String template() {
        return "trial/trial.jte";
    }
}
