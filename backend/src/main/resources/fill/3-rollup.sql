--# Series
-- The key is that of SeriesKey: the newest nights, which the service rolls up itself, must find their series.
insert into series (external_id, workspace_id, visibility, series_key, family_key, machine_id, server, variant, concurrency_model,
                    workload, scenario_key, collector, protocol, metric, track_feature, track_vendor, track_arch, created_at)
select pg_temp.external('ser', l.line * 10 + m.metric_nr, size.seed), k.workspace_id, k.visibility,
       f.key || format('|%s-%s-amd64', t.feature, t.vendor), f.key, k.machine_id, v.server, v.variant, v.model, s.workload, s.scenario_key,
       'G1', x.spec ->> 'protocol', m.metric, t.feature, t.vendor, 'amd64', k.registered_at
  from size cross join line l join variant v using (variant_nr) join scenario s using (scenario_nr) join track t using (track_nr)
  join machine k on k.slug = 'filled-' || l.machine_nr join matrix x on x.slug = 'filled' and x.workspace_id = k.workspace_id
 cross join (select metric_nr, metric from metric union all select metric_nr, metric from response) m
 cross join lateral (select concat_ws('|', 's1', k.external_id, v.server, v.variant, s.scenario_key, 'G1', '', '',
                                      k.fingerprint ->> 'placement', x.spec ->> 'protocol', m.metric) as key) f
 order by l.line, m.metric_nr;

--# Points
-- The mean on the ln scale with its 95 % interval, as stats.Mean makes it.
insert into point (workspace_id, series_id, run_id, cell_id, jdk_build_id, measured_at, trials, mean, low, high, trial_values,
                   trial_ids, eligible, standing, reason, server_digest, fingerprint_hash, agent_version)
select z.workspace_id, z.series_id, q.run_id, q.cell_id, q.jdk_build_id, e.at, size.trials, exp(n.mean),
       exp(n.mean - size.t95 * n.sd / sqrt(size.trials)), exp(n.mean + size.t95 * n.sd / sqrt(size.trials)), n.numbers, a.trial_ids,
       true, g.standing, nullif(array_to_string(g.reasons, '; '), ''), q.server_digest, q.fingerprint_hash, k.agent_version
  from measured q cross join size join line l using (line) join machine k on k.slug = 'filled-' || l.machine_nr
 cross join lateral (
   select array_agg(t.trial_id order by i) as trial_ids,
          array_agg(v[1] order by i) as n0, avg(ln(v[1])) as m0, stddev_samp(ln(v[1])) as s0,
          array_agg(v[2] order by i) as n1, avg(ln(v[2])) as m1, stddev_samp(ln(v[2])) as s1,
          array_agg(v[3] order by i) as n2, avg(ln(v[3])) as m2, stddev_samp(ln(v[3])) as s2,
          array_agg(v[4] order by i) as n3, avg(ln(v[4])) as m3, stddev_samp(ln(v[4])) as s3
     from generate_series(1, size.trials) i
    cross join lateral (select (q.cell_id - 1) * size.trials + i as trial_id) t
    cross join lateral (select pg_temp.values_of(t.trial_id, q.ln_p50, q.ln_p99, q.ln_cpu, q.ln_rss, size.seed) as v offset 0) of_trial) a
 cross join lateral (values (0, m0, s0, n0), (1, m1, s1, n1), (2, m2, s2, n2), (3, m3, s3, n3)) n (metric_nr, mean, sd, numbers)
  join series z on z.external_id = pg_temp.external('ser', l.line * 10 + n.metric_nr, size.seed)
 cross join lateral (select q.at + ((size.trials - 1) * 20 + q.ordinal) * interval '40 s' + interval '30 s' as at) e
 cross join lateral (
   select case when cardinality(r.reasons) = 0 then 'ranked' else 'provisional' end as standing, r.reasons
     from (select array_remove(array[case when size.trials < 10 then size.trials || ' trials of the 10 that a rank needs' end,
                                     case when k.qualified_at is null then 'the machine has not passed its qualification' end], null) as reasons) r) g
 where not q.raw
 order by q.cell_id, n.metric_nr;

--# Constraints and indexes made again
do $$
declare statement text;
begin
  for statement in select l.statement from later l order by l.nr, l.statement loop
    execute statement;
  end loop;
end $$;
alter table run enable trigger user;
alter table trial enable trigger user;
select setval(pg_get_serial_sequence('run', 'run_id'), (select max(run_id) from run)),
       setval(pg_get_serial_sequence('cell', 'cell_id'), (select max(cell_id) from cell)),
       setval(pg_get_serial_sequence('trial', 'trial_id'), (select max(trial_id) from trial));
analyze run, cell, trial, step, trial_metric, series, point;

--# What stands on the leaderboard
-- The newest public night of each line and build, or the newest where none is public.
create temporary table entered as
select distinct on (q.line, q.jdk_build_id) q.line, q.cell_id
  from measured q join run r using (run_id) where not q.raw
 order by q.line, q.jdk_build_id, r.visibility = 'public' desc, q.night desc;
analyze entered;

insert into point (workspace_id, series_id, run_id, cell_id, jdk_build_id, measured_at, trials, mean, low, high, trial_values,
                   trial_ids, eligible, standing, reason, server_digest, fingerprint_hash, agent_version)
select p.workspace_id, z.series_id, p.run_id, p.cell_id, p.jdk_build_id, p.measured_at, p.trials, exp(n.mean),
       exp(n.mean - size.t95 * n.sd / sqrt(size.trials)), exp(n.mean + size.t95 * n.sd / sqrt(size.trials)), n.numbers,
       p.trial_ids, true, p.standing, p.reason, p.server_digest, p.fingerprint_hash, p.agent_version
  from entered q cross join size join cell c using (cell_id) join point p using (cell_id) join series x using (series_id)
  join response m on m.excess = x.metric join series z on z.external_id = pg_temp.external('ser', q.line * 10 + m.metric_nr, size.seed)
 cross join lateral (select array_agg(v + c.declared_delay_ms order by i) as numbers, avg(ln(v + c.declared_delay_ms)) as mean,
                            stddev_samp(ln(v + c.declared_delay_ms)) as sd
                       from unnest(p.trial_values) with ordinality u (v, i)) n;

--# Leaderboard entries
-- Beside the metrics that have points a row shows what comes with them; the service ranks the rows when it rolls up the newest nights.
create function pg_temp.figure(mean float8, spread float8, trials int) returns jsonb immutable language sql as
  'select jsonb_build_object(''mean'', mean, ''low'', mean * (1 - spread), ''high'', mean * (1 + spread), ''eligible'', true,
                             ''reason'', null, ''series'', null, ''trials'', trials)';

insert into leaderboard_entry (workspace_id, visibility, scenario_key, workload, class_hash, class_label, machine_id, server, variant,
                               server_digest, framework, concurrency_model, collector, protocol, jdk_build_id, run_id, cell_id, trials, metrics,
                               headline, standing, reasons, measured_at)
select r.workspace_id, r.visibility, c.scenario_key, c.workload, k.class_hash, k.class_label, k.machine_id, c.server, c.variant,
       p.digest, c.framework, c.concurrency_model, 'G1', r.spec ->> 'protocol', c.jdk_build_id, r.run_id, c.cell_id, p.trials,
       p.metrics || jsonb_build_object(
         'response_p999_ms', pg_temp.figure(c.declared_delay_ms + 1.7 * p.excess, 0.03, p.trials),
         'throughput_per_s', pg_temp.figure(1000, 0, p.trials), 'error_ratio', pg_temp.figure(0, 0, p.trials),
         'throughput_per_core', pg_temp.figure(1e6 / p.cpu, 0.006, p.trials),
         'throughput_per_gib', pg_temp.figure(1000 * 1024 / p.rss, 0.004, p.trials),
         'startup_ms', pg_temp.figure(v.startup_ms, 0.02, p.trials)),
       'response_p99_ms', case when p.trials < 5 then 'few' else p.standing end,
       case when p.reason is null then '{}' else string_to_array(p.reason, '; ') end, p.measured_at
  from entered q join cell c using (cell_id) join run r using (run_id) join machine k on k.machine_id = r.machine_id
  join line l using (line) join variant v using (variant_nr)
 cross join lateral (
   select max(p.trials) as trials, min(p.standing) as standing, min(p.reason) as reason, max(p.measured_at) as measured_at,
          min(p.server_digest) as digest, max(p.mean) filter (where z.metric = 'response_excess_p99_ms') as excess,
          max(p.mean) filter (where z.metric = 'cpu_us_per_request') as cpu, max(p.mean) filter (where z.metric = 'rss_mib') as rss,
          jsonb_object_agg(z.metric, jsonb_build_object('mean', p.mean, 'low', p.low, 'high', p.high, 'eligible', true, 'reason', null,
                                                        'series', z.external_id, 'trials', p.trials)) as metrics
     from point p join series z using (series_id) where p.cell_id = q.cell_id) p;

--# Comparisons
-- Each night's family: release against early access, per server and metric. Those of the newest nights are only
-- declared; the service judges them. The other verdicts are of the same rules, with the spread that the trials have.
insert into comparison (workspace_id, run_id, axis, ordinal, baseline_cell_id, candidate_cell_id, metric, family_size, methodology, blocks,
                        baseline, candidate, effect, low, high, degrees, p, adjusted_p, verdict, margin, decidable,
                        baseline_excluded, baseline_trials, candidate_excluded, candidate_trials)
with pair as (
  select a.run_id, a.cell_id as baseline_cell, b.cell_id as candidate_cell, a.ordinal / 2 * 4 + m.metric_nr as ordinal, a.raw, m.*,
         count(*) over (partition by a.run_id) as family, sqrt(2.0::float8) * m.trial_sd / sqrt(size.trials) as se, size.t95, size.t90, size.trials,
         size.methodology, pa.mean as baseline, pb.mean as candidate, pb.mean / pa.mean as effect
    from measured a join measured b on b.cell_id = a.cell_id + 1 cross join metric m cross join size
    left join (select p.cell_id, z.metric, p.mean from point p join series z using (series_id)) pa on pa.cell_id = a.cell_id and pa.metric = m.metric
    left join (select p.cell_id, z.metric, p.mean from point p join series z using (series_id)) pb on pb.cell_id = b.cell_id and pb.metric = m.metric
   where a.line % 2 = 0),
tested as (select *, erfc(abs(ln(effect)) / se / sqrt(2.0::float8)) as p from pair),
ranked as (select *, row_number() over (partition by run_id order by p, ordinal) as rank from tested),
adjusted as (select *, least(1, min(p * family / rank) over (partition by run_id order by rank desc)) as adjusted_p from ranked)
select (select workspace_id from workspace where slug = 'main'), run_id, 'jdk', ordinal, baseline_cell, candidate_cell, metric, family, methodology,
       case when not raw then trials end, baseline, candidate, effect, effect * exp(-t95 * se), effect * exp(t95 * se), trials - 1, p,
       case when not raw then adjusted_p end,
       case when raw then null
            when adjusted_p < 0.01 and effect >= 1 + delta then 'slower'
            when adjusted_p < 0.01 and effect <= 1 / (1 + delta) then 'faster'
            when abs(ln(effect)) + t90 * se <= ln(1 + delta) then 'equivalent'
            else 'inconclusive' end,
       case when not raw then delta end, case when not raw then exp(t95 * se) - 1 end,
       case when not raw then 0 end, case when not raw then trials end, case when not raw then 0 end, case when not raw then trials end
  from adjusted order by run_id, ordinal;
