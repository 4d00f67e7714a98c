package dev.loomboard.kit;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Secret;
import java.util.HexFormat;

/** A machine of its own, whose agent holds the first lease of a run of one trial: ready to upload. */
public record PlannedTrial(Secret agentKey, String machine, String run, String trial) {

    public static PlannedTrial random() {
        return new PlannedTrial(
                Secret.random("lba"),
                ExternalId.random("mac").value(),
                ExternalId.random("run").value(),
                ExternalId.random("trl").value());
    }

    /** Puts it into a database, by one statement. */
    public String sql() {
        return """
                with w as (select workspace_id from workspace where slug = 'main'),
                m as (insert into machine (external_id, workspace_id, slug, name, visibility, agent_key_hash, agent_key_last4)
                      select '$machine', workspace_id, '$slug', 'Uploads', 'private', '\\x$hash', 'last' from w
                      returning machine_id),
                j as (insert into jdk_build (slug, identity, vendor, runtime_version, feature, availability, architecture,
                                             build_order, lineage, lineage_hash)
                      values ('temurin-25-$slug', '$machine', 'temurin', '25.0.3+9', 25, 'ga', 'amd64', '{25,0,3,9}',
                              '{"vendor": "temurin", "compiler": "gcc", "libc": "glibc", "debugLevel": "release",
                                "internal": "x", "cds": [], "release": {}, "hash": "aa"}', 'aa')
                      returning jdk_build_id),
                x as (insert into matrix (external_id, workspace_id, slug, title, spec, visibility)
                      select replace('$run', 'run_', 'mtx_'), workspace_id, '$slug', 'Uploads', '{}', 'private' from w
                      returning matrix_id),
                r as (insert into run (external_id, workspace_id, machine_id, matrix_id, title, visibility, spec, state,
                                       fencing, attempts, methodology, created_by)
                      select '$run', workspace_id, machine_id, matrix_id, 'Uploads', 'private',
                             '{"protocol": "quick/1"}', 'running', 1, 1, 'm1', 'test' from w, m, x
                      returning run_id),
                c as (insert into cell (external_id, workspace_id, run_id, ordinal, server, variant, concurrency_model,
                                        workload, workload_version, params, load, scenario_key, collector, jvm_options,
                                        jdk_build_id)
                      select replace('$run', 'run_', 'cel_'), workspace_id, run_id, 0, 'spring-mvc', 'platform-100',
                             'platform-threads', 'io', 1, '{"delayMs": 100}',
                             '{"profile": "constant", "rate": 1000, "seconds": 1}',
                             'io@1?delayMs=100;constant:rate=1000,seconds=1', 'G1', '{}', jdk_build_id from w, r, j
                      returning cell_id)
                insert into trial (external_id, workspace_id, run_id, cell_id, kind, ordinal, position, fencing)
                select '$trial', workspace_id, run_id, cell_id, 'scored', 1, 0, 1 from w, r, c
                """.replace("$machine", machine)
                .replace("$run", run)
                .replace("$trial", trial)
                .replace("$slug", machine.substring(4))
                .replace("$hash", HexFormat.of().formatHex(agentKey.hash()));
    }

    public String path(int seq) {
        return "/api/agent/v1/trials/" + trial + "/batches/" + seq;
    }
}
