package dev.loomboard.bundle;

import dev.loomboard.cell.RunState;
import dev.loomboard.inventory.Qualification;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.run.Progress;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * {@code run.json}: the run and all that its batches refer to. A bundle has one run that is over.
 *
 * @param id external id where it was measured
 * @param spec the matrix as it was when the run was created
 * @param machine as its agent described it last
 * @param hosts what the machine was while its trials ran, oldest first
 * @param cells in the matrix's order
 * @param trials in order of execution; the place of one, from 1, is its number
 */
record BundleRun(
        String schema,
        String id,
        String title,
        Course course,
        JsonNode spec,
        List<String> notices,
        Machine machine,
        List<Host> hosts,
        List<BundleJdk> jdks,
        List<BundleCell> cells,
        List<BundleTrial> trials) {

    static final String SCHEMA = "loomboard.bundle-run/1";

    private static final Pattern ID = Pattern.compile("run_[a-z2-7]{20}");
    private static final int MOST_CELLS = 5000;
    private static final int MOST_TRIALS = 20_000;

    /**
     * How it went.
     *
     * @param state done, failed or cancelled
     * @param attempts how often it was leased
     * @param orderSeed what the order of its trials was drawn from; null: they went there and back
     * @param control slug of the build that stays from night to night; null: it had none
     * @param followUp made because changes were suspected: no detector counts it
     * @param look of a rerun, which one; null: its blocks are judged once
     * @param pilot null: no spread decided how many trials there are
     * @param progress what its agent reported last
     */
    record Course(
            RunState state,
            @Nullable String failure,
            int attempts,
            long fencing,
            String createdAt,
            @Nullable String startedAt,
            String finishedAt,
            @Nullable Long orderSeed,
            @Nullable Integer plannedTrials,
            @Nullable Double plannedSeconds,
            @Nullable Double reckonedSeconds,
            @Nullable String control,
            boolean followUp,
            @Nullable Integer look,
            @Nullable PilotLook pilot,
            Progress progress) {

        private static final long SEEDS = 1L << 53;

        Course {
            if (!FieldChecks.present("state", state).isOver()) {
                throw new FieldChecks.Refused("state", "must be done, failed or cancelled, is: " + state.wire());
            }
            FieldChecks.atMostOrNull("failure", failure, 4000);
            FieldChecks.between("attempts", attempts, 0, 1000);
            FieldChecks.notNegative("fencing", fencing);
            Instant created = FieldChecks.instant("createdAt", createdAt);
            Instant started = startedAt == null ? created : FieldChecks.instant("startedAt", startedAt);
            if (started.isBefore(created)) {
                throw new FieldChecks.Refused("startedAt", "must not be before createdAt");
            }
            if (FieldChecks.instant("finishedAt", finishedAt).isBefore(started)) {
                throw new FieldChecks.Refused("finishedAt", "must not be before startedAt and createdAt");
            }
            if (orderSeed != null) {
                FieldChecks.between("orderSeed", orderSeed, 0, SEEDS - 1);
            }
            if (plannedTrials != null) {
                FieldChecks.between("plannedTrials", plannedTrials, 1, Integer.MAX_VALUE);
            }
            FieldChecks.positive("plannedSeconds", plannedSeconds);
            FieldChecks.positive("reckonedSeconds", reckonedSeconds);
            if (look != null) {
                FieldChecks.between("look", look, 1, 1);
            }
            FieldChecks.present("progress", progress);
        }

        Instant finished() {
            return FieldChecks.instant("finishedAt", finishedAt);
        }
    }

    /**
     * @param first blocks that were looked at
     * @param budget further trials that there might have been
     * @param trials those given
     */
    record PilotLook(int first, int budget, int trials) {
        PilotLook {
            FieldChecks.notNegative("first", first);
            FieldChecks.notNegative("budget", budget);
            FieldChecks.notNegative("trials", trials);
        }
    }

    /**
     * @param id external id where it measured
     * @param facts of its host
     * @param qualification null: there is none
     */
    record Machine(
            String id,
            String slug,
            String name,
            @Nullable String agentVersion,
            @Nullable String fingerprintHash,
            @Nullable String classHash,
            @Nullable String classLabel,
            Map<String, Object> facts,
            @Nullable Qualification qualification) {

        private static final Pattern MACHINE = Pattern.compile("mac_[a-z2-7]{20}");

        Machine {
            FieldChecks.matching("id", id, MACHINE);
            FieldChecks.matching("slug", slug, FieldChecks.SLUG);
            FieldChecks.text("name", name, 80);
            FieldChecks.noneDeceptive("name", name);
            FieldChecks.atMostOrNull("agentVersion", agentVersion, 60);
            digestOrNull("fingerprintHash", fingerprintHash);
            digestOrNull("classHash", classHash);
            FieldChecks.atMostOrNull("classLabel", classLabel, 200);
            checked(facts);
        }
    }

    /** A machine's host from a time on. */
    record Host(String since, String fingerprintHash, String agentVersion, Map<String, Object> facts) {
        Host {
            FieldChecks.instant("since", since);
            FieldChecks.matching("fingerprintHash", fingerprintHash, FieldChecks.SHA256);
            FieldChecks.text("agentVersion", agentVersion, 60);
            checked(facts);
        }
    }

    /** Pages show its beginning. */
    private static void digestOrNull(String field, @Nullable String digest) {
        if (digest != null) {
            FieldChecks.matching(field, digest, FieldChecks.SHA256);
        }
    }

    private static void checked(@Nullable Map<String, Object> facts) {
        Map<String, Object> all = FieldChecks.present("facts", facts);
        FieldChecks.allStorable("facts", all);
        if (all.toString().length() > 65_536) {
            throw new FieldChecks.Refused("facts", "must have at most 65536 characters in all");
        }
    }

    BundleRun {
        FieldChecks.oneOf("schema", schema, List.of(SCHEMA));
        FieldChecks.matching("id", id, ID);
        FieldChecks.text("title", title, 200);
        FieldChecks.noneDeceptive("title", title);
        FieldChecks.present("course", course);
        FieldChecks.present("spec", spec);
        notices = FieldChecks.list("notices", notices, 1000);
        notices.forEach(notice -> FieldChecks.atMost("notices", notice, 4000));
        FieldChecks.present("machine", machine);
        hosts = FieldChecks.list("hosts", hosts, 1000);
        jdks = FieldChecks.list("jdks", jdks, 1000);
        cells = FieldChecks.list("cells", cells, MOST_CELLS);
        trials = FieldChecks.list("trials", trials, MOST_TRIALS);
        if (cells.isEmpty()) {
            throw new FieldChecks.Refused("cells", "must not be empty");
        }
        refersToWhatIsThere(course, jdks, cells, trials);
    }

    private static void refersToWhatIsThere(
            Course course, List<BundleJdk> jdks, List<BundleCell> cells, List<BundleTrial> trials) {
        Set<String> builds = new HashSet<>();
        Set<String> identities = new HashSet<>();
        for (BundleJdk jdk : jdks) {
            if (!builds.add(jdk.slug()) || !identities.add(jdk.identity())) {
                throw new FieldChecks.Refused(
                        "jdks", "must have each slug and identity once, has twice: " + jdk.slug());
            }
        }
        if (course.control() != null && !builds.contains(course.control())) {
            throw new FieldChecks.Refused("course.control", "must be one of jdks, is: " + course.control());
        }
        for (int i = 0; i < cells.size(); i++) {
            BundleCell cell = cells.get(i);
            if (cell.ordinal() != i) {
                throw new FieldChecks.Refused("cells[" + i + "].ordinal", "must be " + i + ", is: " + cell.ordinal());
            }
            if (cell.jdk() != null && !builds.contains(cell.jdk())) {
                throw new FieldChecks.Refused("cells[" + i + "].jdk", "must be one of jdks, is: " + cell.jdk());
            }
        }
        trialsOnce(course, cells, trials);
    }

    private record Position(long fencing, int position) {}

    private static void trialsOnce(Course course, List<BundleCell> cells, List<BundleTrial> trials) {
        Set<String> ids = new HashSet<>();
        Set<Position> positions = new HashSet<>();
        for (int i = 0; i < trials.size(); i++) {
            BundleTrial trial = trials.get(i);
            String field = "trials[" + i + "]";
            if (trial.cell() >= cells.size()) {
                throw new FieldChecks.Refused(field + ".cell", "must be the ordinal of a cell, is: " + trial.cell());
            }
            if (trial.fencing() > course.fencing()) {
                throw new FieldChecks.Refused(
                        field + ".fencing",
                        "must be at most that of the run, " + course.fencing() + ", is: " + trial.fencing());
            }
            if (!ids.add(trial.id()) || !positions.add(new Position(trial.fencing(), trial.position()))) {
                throw new FieldChecks.Refused(field, "has the id, or fencing and position, of another trial");
            }
        }
        String last = course.progress().trialId();
        if (last != null && !ids.contains(last)) {
            throw new FieldChecks.Refused("course.progress.trialId", "must be one of trials, is: " + last);
        }
    }

    /** The build of a cell; null: it has no JDK. */
    @Nullable
    BundleJdk jdkOf(BundleCell cell) {
        return jdks.stream()
                .filter(jdk -> Objects.equals(jdk.slug(), cell.jdk()))
                .findFirst()
                .orElse(null);
    }
}
