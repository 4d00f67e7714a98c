package dev.loomboard.bundle;

import dev.loomboard.kernel.FieldChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * {@code run.json}: the run and all that its batches refer to. A bundle has one run that is over.
 *
 * @param id external id where it was measured
 * @param spec the matrix as it was when the run was created
 * @param hosts what the machine was while its trials ran, oldest first
 * @param cells in the matrix's order
 * @param trials in order of execution; the place of one, from 1, is its number
 */
public record BundleRun(
        String schema,
        String id,
        String title,
        BundleCourse course,
        JsonNode spec,
        List<String> notices,
        BundleMachine machine,
        List<BundleMachine.Host> hosts,
        List<BundleJdk> jdks,
        List<BundleCell> cells,
        List<BundleTrial> trials) {

    public static final String SCHEMA = "loomboard.bundle-run/1";

    static final Pattern ID = Pattern.compile("run_[a-z2-7]{20}");

    private static final int MOST_CELLS = 5000;
    private static final int MOST_TRIALS = 20_000;

    public BundleRun {
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
            BundleCourse course, List<BundleJdk> jdks, List<BundleCell> cells, List<BundleTrial> trials) {
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

    private static void trialsOnce(BundleCourse course, List<BundleCell> cells, List<BundleTrial> trials) {
        Set<String> ids = new HashSet<>();
        Set<BundleTrial.Place> places = new HashSet<>();
        for (int i = 0; i < trials.size(); i++) {
            BundleTrial trial = trials.get(i);
            String field = "trials[" + i + "]";
            if (trial.cell() >= cells.size()) {
                throw new FieldChecks.Refused(field + ".cell", "must be the ordinal of a cell, is: " + trial.cell());
            }
            long fencing = trial.place().fencing();
            if (fencing > course.fencing()) {
                throw new FieldChecks.Refused(
                        field + ".place.fencing",
                        "must be at most that of the run, " + course.fencing() + ", is: " + fencing);
            }
            if (!ids.add(trial.id()) || !places.add(trial.place())) {
                throw new FieldChecks.Refused(field, "has the id, or the place, of another trial");
            }
        }
        String last = course.progress().trialId();
        if (last != null && !ids.contains(last)) {
            throw new FieldChecks.Refused("course.progress.trialId", "must be one of trials, is: " + last);
        }
    }
}
