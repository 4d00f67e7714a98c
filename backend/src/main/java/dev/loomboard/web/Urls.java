package dev.loomboard.web;

import java.time.YearMonth;

/** Every path of the service but those of {@link PeopleUrls}, so that none is written twice. Templates and controllers build links by these two only. */
public final class Urls {

    private Urls() {}

    /** True of files of the front end: everybody gets them, and a page has many. */
    public static boolean isFile(String path) {
        return path.startsWith(FrontEnd.FILES);
    }

    public static String home() {
        return "/";
    }

    /** A newcomer's list of what to do. */
    public static String firstSteps() {
        return "/first-steps";
    }

    public static String leaderboard() {
        return "/leaderboard";
    }

    /** @param scenario its slug */
    public static String leaderboard(String scenario) {
        return leaderboard() + "/" + segment(scenario);
    }

    /** Every server that has results. */
    public static String servers() {
        return "/servers";
    }

    public static String server(String server) {
        return servers() + "/" + segment(server);
    }

    public static String server(String server, String variant) {
        return server(server) + "/" + segment(variant);
    }

    /** True of pictures that other sites may show: a browser asks for them as nobody in particular, without the reader's session. */
    public static boolean isPicture(String path) {
        return path.endsWith(".svg");
    }

    /** A row of a board as a picture. */
    public static String badge(String scenario, String server, String variant) {
        return "/badges/" + segment(scenario) + "/" + segment(server) + "/" + segment(variant) + ".svg";
    }

    public static String search() {
        return "/search";
    }

    /** Its rows on the board. */
    public static String leaderboardOf(String machineId) {
        return leaderboard() + "?machine=" + encode(machineId);
    }

    /** Who did what in a workspace. */
    public static String audit(String slug) {
        return PeopleUrls.workspace(slug) + "/audit";
    }

    /** Who did what in the installation. */
    public static String audit() {
        return "/audit";
    }

    /** What administrators hid. */
    public static String hidden() {
        return "/hidden";
    }

    /**
     * The page with its form filled in.
     *
     * @param id external id of a run or machine, slug of a workspace
     */
    public static String hide(String kind, String id) {
        return "/hidden?kind=" + encode(kind) + "&id=" + encode(id) + "#hide";
    }

    public static String showAgain(String id) {
        return "/hidden/" + id + "/show";
    }

    public static String compare() {
        return "/compare";
    }

    /** Two JDK builds, cell by cell. */
    public static String compare(String baseline, String candidate) {
        return "/compare?a=" + encode(baseline) + "&b=" + encode(candidate);
    }

    /** What there is to choose of a subject such as {@code server}. */
    public static String compareAmong(String subject) {
        return "/compare?axis=" + encode(subject);
    }

    public static String compareAmong(String subject, String baseline, String candidate) {
        return compareAmong(subject) + "&a=" + encode(baseline) + "&b=" + encode(candidate);
    }

    public static String compareCells() {
        return "/compare/cells";
    }

    /** Two cells in all detail, by their external ids. */
    public static String compareCells(String baseline, String candidate) {
        return compareCells() + "?a=" + baseline + "&b=" + candidate;
    }

    public static String compareGrid() {
        return "/compare/grid";
    }

    public static String runs() {
        return "/runs";
    }

    /** Those that were made in a month, in UTC. */
    public static String runs(YearMonth month) {
        return runs() + "/months/" + month;
    }

    public static String machines() {
        return "/machines";
    }

    public static String newMachine() {
        return "/machines/new";
    }

    /** The same form, with a workspace chosen in it. */
    public static String newMachineIn(String workspace) {
        return newMachine() + "?workspace=" + encode(workspace);
    }

    /** Where one waits for a machine to use a registration token; {@code token} is the token's id, reg_…. */
    public static String newMachine(String token) {
        return "/machines/new/" + token;
    }

    /** The script that installs the agent on a machine. */
    public static String installer() {
        return "/install.sh";
    }

    public static String machine(String workspace, String slug) {
        return "/w/" + workspace + "/machines/" + slug;
    }

    public static String revokeMachine(String workspace, String slug) {
        return machine(workspace, slug) + "/revoke";
    }

    public static String newMachineKey(String workspace, String slug) {
        return machine(workspace, slug) + "/key";
    }

    public static String machineVisibility(String workspace, String slug) {
        return machine(workspace, slug) + "/visibility";
    }

    public static String machineAdmission(String workspace, String slug) {
        return machine(workspace, slug) + "/admission";
    }

    public static String drainMachine(String workspace, String slug) {
        return machine(workspace, slug) + "/drain";
    }

    public static String machineName(String workspace, String slug) {
        return machine(workspace, slug) + "/name";
    }

    public static String machineLabels(String workspace, String slug) {
        return machine(workspace, slug) + "/labels";
    }

    public static String machineReruns(String workspace, String slug) {
        return machine(workspace, slug) + "/reruns";
    }

    public static String matrices() {
        return "/matrices";
    }

    public static String newMatrix() {
        return "/matrices/new";
    }

    /** The same form, with a copy of a matrix in it. */
    public static String newMatrix(String workspace, String slug) {
        return newMatrix() + "?from=" + encode(workspace + "/" + slug);
    }

    /** A new one is picked together there, from what a machine has. */
    public static String draftMatrix() {
        return newMatrix() + "/draft";
    }

    /** The same, from what this machine has. */
    public static String draftMatrix(String workspace, String slug) {
        return draftMatrix() + "?machine=" + encode(workspace + "/" + slug);
    }

    public static String matrix(String workspace, String slug) {
        return "/w/" + workspace + "/matrices/" + slug;
    }

    public static String editMatrix(String workspace, String slug) {
        return matrix(workspace, slug) + "/edit";
    }

    public static String runMatrix(String workspace, String slug) {
        return matrix(workspace, slug) + "/run";
    }

    public static String schedules() {
        return "/schedules";
    }

    public static String newSchedule() {
        return "/schedules/new";
    }

    /** The same form, with what and where chosen in it, by their external ids. */
    public static String newSchedule(String matrix, String machine) {
        return newSchedule() + "?matrix=" + encode(matrix) + "&machine=" + encode(machine);
    }

    /** The next firings of what stands in the form: a part of it. */
    public static String schedulePreview() {
        return "/schedules/preview";
    }

    public static String schedule(String workspace, String slug) {
        return "/w/" + workspace + "/schedules/" + slug;
    }

    public static String editSchedule(String workspace, String slug) {
        return schedule(workspace, slug) + "/edit";
    }

    /** A change of a schedule: {@code pause}, {@code resume}, {@code run}, {@code control} or {@code delete}. */
    public static String scheduleAction(String workspace, String slug, String action) {
        return schedule(workspace, slug) + "/" + action;
    }

    public static String run(String id) {
        return "/runs/" + id;
    }

    /** All of it in one file. */
    public static String runBundle(String id) {
        return run(id) + "/bundle";
    }

    /** The matrix that it was made of, as a file. */
    public static String matrixOfRun(String id) {
        return run(id) + "/matrix.yaml";
    }

    public static String importRun() {
        return runs() + "/import";
    }

    public static String runVerdicts(String id) {
        return run(id) + "/verdicts";
    }

    /** The stream of a run's live parts (server-sent events). */
    public static String runEvents(String id) {
        return "/runs/" + id + "/events";
    }

    public static String runPriority(String id) {
        return run(id) + "/priority";
    }

    public static String retryRun(String id) {
        return run(id) + "/retry";
    }

    public static String cancelRun(String id) {
        return run(id) + "/cancel";
    }

    public static String trial(String id) {
        return "/trials/" + id;
    }

    /** A file of a trial, such as {@code stacks.txt}. */
    public static String artefact(String trial, String name) {
        return trial(trial) + "/artefacts/" + name;
    }

    public static String series(String id) {
        return "/series/" + id;
    }

    public static String notes(String series) {
        return series(series) + "/notes";
    }

    public static String removeNote(String series, String note) {
        return notes(series) + "/" + note + "/remove";
    }

    /** The inbox of suspected and confirmed changes. */
    public static String regressions() {
        return "/regressions";
    }

    /** What a rerun was made for. */
    public static String regressionsOf(String run) {
        return "/regressions?rerun=" + encode(run);
    }

    /** What a build brought. */
    public static String regressionsOn(String build) {
        return "/regressions?jdk=" + encode(build);
    }

    /** Confirmed regressions as Atom. */
    public static String regressionFeed() {
        return "/regressions.atom";
    }

    public static String regression(String id) {
        return "/regressions/" + id;
    }

    public static String rerun(String regression) {
        return regression(regression) + "/rerun";
    }

    public static String defaultRerun(String regression) {
        return regression(regression) + "/default-rerun";
    }

    public static String bisection(String regression) {
        return regression(regression) + "/bisection";
    }

    public static String cancelBisection(String regression) {
        return bisection(regression) + "/cancel";
    }

    public static String triage(String id) {
        return regression(id) + "/triage";
    }

    /** What was found wrong, all that was ever retracted. */
    public static String retractions() {
        return "/retractions";
    }

    /** One of them, on their page. */
    public static String retraction(String id) {
        return "/retractions#" + id;
    }

    /** The page with its form filled in. */
    public static String retract(String kind, String name, String version) {
        return "/retractions?kind=" + encode(kind) + "&name=" + encode(name) + "&version=" + encode(version)
                + "#retract";
    }

    public static String withdraw(String id) {
        return "/retractions/" + id + "/withdraw";
    }

    /** Retractions as Atom. */
    public static String retractionFeed() {
        return "/retractions.atom";
    }

    /** Where the CPU time of two cells went, by their ids; {@code ending} of the twin, or none. */
    public static String flames(String ending, String baseline, String candidate) {
        return "/flames" + ending + "?a=" + baseline + "&b=" + candidate;
    }

    public static String jdks() {
        return "/jdks";
    }

    public static String jdks(int feature) {
        return "/jdks/" + feature;
    }

    public static String jdk(int feature, String slug) {
        return "/jdks/" + feature + "/" + slug;
    }

    public static String methodology() {
        return "/methodology";
    }

    public static String glossary() {
        return "/metrics-glossary";
    }

    /** A metric's entry in the glossary. */
    public static String glossary(String metric) {
        return "/metrics-glossary#" + metric;
    }

    public static String patterns() {
        return "/patterns";
    }

    public static String api() {
        return "/api";
    }

    public static String status() {
        return "/status";
    }

    /** The identity of a kind of problem (RFC 9457 {@code type}); a name, not a page. */
    public static String problem(String kind) {
        return "/problems/" + kind;
    }

    /** As a part of a path. */
    private static String segment(String value) {
        return encode(value).replace("+", "%20");
    }

    static String encode(String value) {
        return java.net.URLEncoder.encode(value, java.nio.charset.StandardCharsets.UTF_8);
    }
}
