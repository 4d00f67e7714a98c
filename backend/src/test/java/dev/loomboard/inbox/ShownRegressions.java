package dev.loomboard.inbox;

import dev.loomboard.kit.Service;
import dev.loomboard.kit.SuspectRows;
import dev.loomboard.regression.RerunService;
import dev.loomboard.web.Urls;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * A night after which a rerun confirmed a regression and cleared another, a history confirmed an improvement, and one suspect
 * cannot be rerun.
 */
public final class ShownRegressions {

    public static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String CPU = "cpu_us_per_request";

    public final SuspectRows rows;
    public final String regression;
    public final String cleared;
    public final String improvement;
    public final String suspect;
    public final String rerun;

    public ShownRegressions(Service service, String visibility) {
        rows = new SuspectRows(service, visibility);
        RerunService reruns = service.bean(RerunService.class);
        regression = rows.suspect("plain", CPU);
        cleared = rows.suspect("other", CPU, rows.good, 1.2, 1);
        reruns.followUp().block(TIMEOUT);
        rerun = Objects.requireNonNull(rows.rerun(regression), "the rerun");
        rows.measured(rerun, 1.2);
        reruns.decide().block(TIMEOUT);
        suspect = rows.suspect("third", CPU);
        improvement = rows.suspect("third", "rss_mib", rows.good, 1.2, 1);
        rows.run("""
                update change_point set status = 'confirmed', confirmed_by = 'history', decided_at = now(), history_at = now(),
                       history_change = -0.17, history_p = 1e-6 where external_id = :id
                """, Map.of("id", improvement));
        reruns.followUp().block(TIMEOUT);
    }

    private static final class Shared {
        static final ShownRegressions PUBLIC =
                new ShownRegressions(Service.shared(), "public").diagnosed().flags();
    }

    /** With a diagnostic trial of both builds, on the newer of which a log takes time. */
    private ShownRegressions diagnosed() {
        diagnostic(rows.good, 3.2, "java.lang.Thread.run;app.Work.io 900\njava.lang.Thread.run;app.Gc.sweep 100\n");
        diagnostic(rows.young, 41, """
                java.lang.Thread.run;app.Work.io 600
                java.lang.Thread.run;app.Work.io;app.Log.write 300
                java.lang.Thread.run;app.Gc.sweep 110
                """);
        return this;
    }

    /** As if an agent had read the default flags of both builds, of which four changed. */
    ShownRegressions flags() {
        flags(rows.good, """
                {"Same": {"value": "1", "kind": "product", "origin": "default"},
                 "UseTable": {"value": "true", "kind": "diagnostic", "origin": "default"},
                 "UseHeaders": {"value": "true", "kind": "product", "origin": "default"},
                 "Names": {"value": "", "kind": "product", "origin": "default"},
                 "HashLines": {"value": "8", "kind": "product", "origin": "ergonomic"}}""");
        flags(rows.young, """
                {"Same": {"value": "1", "kind": "product", "origin": "default"},
                 "UseTable": {"value": "false", "kind": "diagnostic", "origin": "default"},
                 "UseHeaders": {"value": "false", "kind": "product", "origin": "default"},
                 "Names": {"value": "x", "kind": "product", "origin": "default"},
                 "HashLines": {"value": "16", "kind": "product", "origin": "ergonomic"}}""");
        return this;
    }

    private void flags(String build, String flags) {
        rows.run("""
                insert into machine_jdk_flags (machine_id, jdk_build_id, fingerprint_hash, flags)
                select m.machine_id, b.jdk_build_id, 'f', :flags::jsonb from machine m, jdk_build b
                 where m.external_id = :machine and b.slug = :build
                """, Map.of("flags", flags, "machine", rows.machine, "build", build));
    }

    /**
     * Of the rerun's cell on a build.
     *
     * @param contended per 1000 requests
     * @param stacks empty: it left none
     */
    public void diagnostic(String build, double contended, String stacks) {
        rows.run("""
                with t as (
                  insert into trial (external_id, workspace_id, run_id, cell_id, kind, ordinal, position, fencing, state, validity,
                                     started_at, finished_at)
                  select new_external_id('trl'), c.workspace_id, c.run_id, c.cell_id, 'diagnostic', 1, 9000 + c.ordinal, 1, 'done',
                         'valid', now(), now()
                    from run r join cell c using (run_id) join jdk_build j using (jdk_build_id)
                   where r.external_id = :run and j.slug = :build and c.variant = 'plain'
                  returning trial_id, workspace_id),
                m as (insert into trial_metric (trial_id, metric, value, eligible)
                      select trial_id, 'contended_per_1k_requests', :contended, true from t)
                insert into artefact (trial_id, name, workspace_id, sha256, bytes, content)
                select trial_id, 'stacks.txt', workspace_id, sha256(convert_to(:stacks, 'UTF8')), octet_length(:stacks), convert_to(:stacks, 'UTF8')
                  from t where :stacks <> ''
                """, Map.of("run", rerun, "build", build, "contended", contended, "stacks", stacks));
    }

    /** The page, or its twin, of the CPU time of the rerun's cell on both builds. */
    public String flames(String twin) {
        return Urls.flames(twin, cell(rows.good), cell(rows.young));
    }

    private String cell(String build) {
        return rows.text("""
                select c.external_id from run r join cell c using (run_id) join jdk_build j using (jdk_build_id)
                 where r.external_id = :run and j.slug = :build and c.variant = 'plain'
                """, Map.of("run", rerun, "build", build));
    }

    public static ShownRegressions shared() {
        return Shared.PUBLIC;
    }
}
