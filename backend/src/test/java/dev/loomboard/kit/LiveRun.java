package dev.loomboard.kit;

import java.time.ZoneOffset;

/** A run that is under way, with a trial in every state. */
final class LiveRun {

    private final Results results;

    LiveRun(Results results) {
        this.results = results;
    }

    String put(String id, long machine, long matrix, long jdk) {
        long run = results.insert(
                """
                insert into run (external_id, workspace_id, machine_id, matrix_id, title, visibility, spec, state, fencing, attempts, methodology, created_by, created_at, started_at, progress)
                select :id, workspace_id, :machine, :matrix, 'Under way', 'public', '{"protocol":"quick/1"}', 'running', 1, 1, 'm1', 'test', :at, :at,
                       '{"trialId":null,"phase":"measure","done":4,"total":6,"expectedEnd":"2026-11-20T04:12:00Z","spooled":1}'
                  from workspace where slug = 'main' returning run_id
                """,
                Results.bind(
                        "id",
                        id,
                        "machine",
                        machine,
                        "matrix",
                        matrix,
                        "at",
                        Results.START.plusSeconds(7200).atOffset(ZoneOffset.UTC)));
        String[][] trials = {
            {"done", "collect", "valid", ""},
            {"done", "collect", "invalid", "The load generator was not valid: lag p99 14 ms"},
            {"failed", "verify", "", "POST /io answered 404, expected 200"},
            {"aborted", "warmup", "", "The agent was restarted"},
            {"running", "measure", "", ""},
            {"planned", "", "", ""},
        };
        for (int i = 0; i < trials.length; i++) {
            long cell = cell(run, i, jdk);
            trial(run, cell, i, trials[i]);
        }
        return id;
    }

    private long cell(long run, int ordinal, long jdk) {
        return results.insert(
                """
                insert into cell (external_id, workspace_id, run_id, ordinal, server, variant, concurrency_model, workload, workload_version, params, load, scenario_key, collector, jvm_options, jdk_build_id)
                select :id, workspace_id, :run, :ordinal, 'spring-mvc', 'virtual', 'virtual-threads', 'io', 1, '{}', '{}', :scenario, 'G1', '{}', :jdk
                  from workspace where slug = 'main' returning cell_id
                """,
                Results.bind(
                        "id", Results.id("cel"), "run", run, "ordinal", ordinal, "scenario", Results.IO, "jdk", jdk));
    }

    private void trial(long run, long cell, int position, String[] state) {
        results.insert(
                """
                insert into trial (external_id, workspace_id, run_id, cell_id, kind, ordinal, position, fencing, state, phase, validity, reason)
                select :id, workspace_id, :run, :cell, 'scored', 1, :position, 1, :state, nullif(:phase, ''), nullif(:validity, ''), nullif(:reason, '')
                  from workspace where slug = 'main' returning trial_id
                """,
                Results.bind(
                        "id",
                        Results.id("trl"),
                        "run",
                        run,
                        "cell",
                        cell,
                        "position",
                        position,
                        "state",
                        state[0],
                        "phase",
                        state[1],
                        "validity",
                        state[2],
                        "reason",
                        state[3]));
    }
}
