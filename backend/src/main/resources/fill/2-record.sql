--# Constraints and indexes set aside
-- A row at a time they would cost most of the time. They are made again below from their own definitions, in this
-- same transaction, and PostgreSQL then checks every row.
create temporary table later (nr int, statement text);
do $$
declare
  filled oid[] := array['run', 'cell', 'trial', 'step', 'trial_metric', 'point', 'comparison']::regclass[];
  c record;
begin
  insert into later select case contype when 'f' then 3 else 1 end,
         format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where contype in ('p', 'u', 'f') and (conrelid = any(filled) or confrelid = any(filled));
  insert into later select 2, pg_get_indexdef(i.indexrelid) from pg_index i
   where i.indrelid = any(filled) and not exists (select 1 from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u'));
  for c in select conrelid::regclass as of, conname from pg_constraint
            where contype in ('p', 'u', 'f') and (conrelid = any(filled) or confrelid = any(filled)) order by contype <> 'f' loop
    execute format('alter table %s drop constraint %I', c.of, c.conname);
  end loop;
  for c in select i.indexrelid::regclass as index from pg_index i where i.indrelid = any(filled) loop
    execute format('drop index %s', c.index);
  end loop;
end $$;
alter table run disable trigger user;
alter table trial disable trigger user;

--# Runs
-- A run is a machine's night, four of them a day. Each fiftieth is private, and all of each third machine.
insert into run (run_id, external_id, workspace_id, machine_id, matrix_id, title, visibility, spec, state, fencing, attempts,
                 methodology, created_by, created_at, started_at, finished_at)
overriding system value
select (n - 1) * size.machines + m + 1, pg_temp.external('run', (n - 1) * size.machines + m + 1, size.seed), x.workspace_id,
       k.machine_id, x.matrix_id, x.title, case when m % 3 = 2 or (n % 50 = 7 and n <= size.points - size.raw_nights) then 'private' else 'public' end,
       x.spec, 'done', 1, 1, size.methodology, 'fill', t.at, t.at, t.at + interval '5 hours'
  from size cross join generate_series(1, size.points) n cross join generate_series(0, size.machines - 1) m
  join machine k on k.slug = 'filled-' || m join matrix x on x.slug = 'filled' and x.workspace_id = k.workspace_id
 cross join lateral (select size.newest - (size.points - n) * interval '6 hours' as at) t
 order by 1;

--# Cells
-- One row per line and night, with the level of each metric: of the build, the host (which changes once) and the night.
create temporary table measured as
select (n - 1) * size.lines + l.line + 1 as cell_id, l.line, l.ordinal, n as night, (n - 1) * size.machines + l.machine_nr + 1 as run_id,
       n > size.points - size.raw_nights as raw, a.jdk_build_id,
       size.newest - (size.points - n) * interval '6 hours' as at,
       encode(sha256(format('%s %s', v.server, n * 4 / size.points)::bytea), 'hex') as server_digest,
       encode(sha256(format('host %s of %s', 1 + h.moved, l.machine_nr)::bytea), 'hex') as fingerprint_hash,
       a.ln_value + 0.015 * h.moved + p50.night_sd * pg_temp.normal((n - 1) * size.lines + l.line, size.seed + 20) as ln_p50,
       b.ln_value + 0.015 * h.moved + p99.night_sd * pg_temp.normal((n - 1) * size.lines + l.line, size.seed + 21) as ln_p99,
       c.ln_value + 0.015 * h.moved + cpu.night_sd * pg_temp.normal((n - 1) * size.lines + l.line, size.seed + 22) as ln_cpu,
       d.ln_value + rss.night_sd * pg_temp.normal((n - 1) * size.lines + l.line, size.seed + 23) as ln_rss
  from size cross join generate_series(1, size.points) n cross join line l join variant v using (variant_nr) join track t using (track_nr)
 cross join lateral (select 1 + (n - 1) * t.builds / size.points as build_nr, (n > size.points * 3 / 5)::int as moved) h
  join level a on a.line = l.line and a.build_nr = h.build_nr and a.metric_nr = 0 join metric p50 on p50.metric_nr = 0
  join level b on b.line = l.line and b.build_nr = h.build_nr and b.metric_nr = 1 join metric p99 on p99.metric_nr = 1
  join level c on c.line = l.line and c.build_nr = h.build_nr and c.metric_nr = 2 join metric cpu on cpu.metric_nr = 2
  join level d on d.line = l.line and d.build_nr = h.build_nr and d.metric_nr = 3 join metric rss on rss.metric_nr = 3
 order by 1;
analyze measured;

insert into cell (cell_id, external_id, workspace_id, run_id, ordinal, server, variant, concurrency_model, workload, workload_version,
                  params, declared_delay_ms, load, scenario_key, collector, jvm_options, limits, jdk_build_id, framework)
overriding system value
select q.cell_id, pg_temp.external('cel', q.cell_id, size.seed), w.workspace_id, q.run_id, q.ordinal, v.server, v.variant, v.model,
       s.workload, 1, s.params, s.delay, '{"profile": "constant", "rate": 1000, "seconds": 12}', s.scenario_key, 'G1', '{}', '{}', q.jdk_build_id,
       v.framework
  from size cross join measured q join line l using (line) join variant v using (variant_nr) join scenario s using (scenario_nr)
  join workspace w on w.slug = 'main' order by q.cell_id;

--# Trials
-- In rounds: each cell once, then each again. What varies from trial to trial is of the trial's own key (see values_of).
insert into trial (trial_id, external_id, workspace_id, run_id, cell_id, kind, ordinal, position, fencing, state, phase, validity,
                   started_at, finished_at, server_digest, fingerprint_hash, class_hash, agent_version, start_facts, end_facts)
overriding system value
select (q.cell_id - 1) * size.trials + k, pg_temp.external('trl', (q.cell_id - 1) * size.trials + k, size.seed), w.workspace_id, q.run_id,
       q.cell_id, 'scored', k, (k - 1) * 20 + q.ordinal, 1, 'done', 'collect', 'valid', t.at, t.at + interval '30 s',
       q.server_digest, q.fingerprint_hash, m.class_hash, m.agent_version, '{"heapMiB": 512, "tickHz": 1}',
       '{"outcome": "done", "warmth": [{"step": 0, "criterion": "step/1", "hitsBefore": 24000, "collections": 3, "threadSeconds": null, "unmet": []}]}'
  from measured q join line l using (line) join machine m on m.slug = 'filled-' || l.machine_nr join workspace w on w.slug = 'main'
 cross join size cross join lateral generate_series(1, size.trials) k
 cross join lateral (select q.at + ((k - 1) * 20 + q.ordinal) * interval '40 s' as at) t;

create function pg_temp.values_of(trial bigint, ln_p50 float8, ln_p99 float8, ln_cpu float8, ln_rss float8, salt bigint)
  returns double precision[] immutable language sql as
  'select array[exp(ln_p50 + 0.020 * pg_temp.normal(trial, salt + 10)), exp(ln_p99 + 0.060 * pg_temp.normal(trial, salt + 11)),
                exp(ln_cpu + 0.012 * pg_temp.normal(trial, salt + 12)), exp(ln_rss + 0.008 * pg_temp.normal(trial, salt + 13))]';

--# Steps
-- Histograms are kept of the newest nights only; of the others they have no bytes left, and summaries stay.
insert into step (workspace_id, trial_id, ordinal, rate, start_ns, end_ns, offered, sent, completed, failed, unfinished, validity,
                  health, outcomes, percentiles, service, response, lag, transport, http)
select w.workspace_id, t.trial_id, 0, 1000, 10000000000, 22000000000, 12000, 12000, 12000, 0, 0, 'valid',
       '{"validity": "valid", "cpuShare": 0.2}', '{"statusCodes": {"200": 12000}}',
       format('{"response":{"p50":{"nanos":%1$s,"eligible":true},"p99":{"nanos":%2$s,"eligible":true}},"service":{"p50":{"nanos":%3$s,"eligible":true},"p99":{"nanos":%4$s,"eligible":true}}}',
              ((s.delay + v[1]) * 1e6)::bigint, ((s.delay + v[2]) * 1e6)::bigint,
              ((s.delay + v[1] * 0.97) * 1e6)::bigint, ((s.delay + v[2] * 0.97) * 1e6)::bigint)::jsonb,
       '', '', '', 'lean', '1.1'
  from measured q join line l using (line) join scenario s using (scenario_nr) join workspace w on w.slug = 'main'
 cross join size cross join lateral generate_series(1, size.trials) k
 cross join lateral (select (q.cell_id - 1) * size.trials + k as trial_id) t
 cross join lateral (select pg_temp.values_of(t.trial_id, q.ln_p50, q.ln_p99, q.ln_cpu, q.ln_rss, size.seed) as v offset 0) of_trial
 where not q.raw;

--# Metrics of trials
insert into trial_metric (trial_id, metric, value, eligible)
select t.trial_id, m.metric, v[m.metric_nr + 1], true
  from measured q cross join size cross join lateral generate_series(1, size.trials) k
 cross join lateral (select (q.cell_id - 1) * size.trials + k as trial_id) t
 cross join lateral (select pg_temp.values_of(t.trial_id, q.ln_p50, q.ln_p99, q.ln_cpu, q.ln_rss, size.seed) as v offset 0) of_trial
 cross join metric m
 where not q.raw;
