package dev.loomboard.kit;

import java.util.Map;

/** Makes a trial one of a closed load: no rate, no response time, no lag; and sent by a transport that is known. */
final class ClosedRows {

    private final Results results;

    ClosedRows(Results results) {
        this.results = results;
    }

    void put(String trial) {
        results.insert("""
                update step set rate = null, connections = 50, response = null, excess = null, lag = null, transport = 'lean', http = '1.1',
                       health = health - 'lagP50Ns' - 'lagP99Ns' - 'lagMaxNs' - 'achievedRatio' || '{"scheduling": "ordinary"}',
                       outcomes = outcomes || '{"completedInStep": 5868}'
                  from trial t where t.trial_id = step.trial_id and t.external_id = :trial returning step_id
                """, Map.of("trial", trial));
        results.insert("""
                with changed as (
                  update load_window set response = null, lag = null, response_p50_ns = null, response_p99_ns = null
                    from trial t where t.trial_id = load_window.trial_id and t.external_id = :trial returning 1)
                select count(*) from changed
                """, Map.of("trial", trial));
        results.insert("""
                update trial set end_facts = end_facts - 'attribution' || '{"missing":{"attribution":
                         "of a closed load no hit has an intended send time, so none can be said to be late"}}'
                 where external_id = :trial returning trial_id
                """, Map.of("trial", trial));
    }
}
