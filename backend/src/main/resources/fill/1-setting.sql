--# Functions and lines
-- Numbers that look random but are of the row's own key and the seed: the same whatever order or plan makes them.
create function pg_temp.uniform(key bigint, salt bigint) returns double precision immutable language sql as
  'select ((hashint8extended(key, salt) & 9007199254740991) + 0.5::float8) / 9007199254740992.0::float8';
create function pg_temp.normal(key bigint, salt bigint) returns double precision immutable language sql as
  'select sqrt(-2 * ln(((hashint8extended(key, salt) & 9007199254740991) + 0.5::float8) / 9007199254740992.0::float8))
        * cos(2 * pi() * ((hashint8extended(key, salt + 500) & 9007199254740991) + 0.5::float8) / 9007199254740992.0::float8)';
-- A prefix and 20 characters of base32, as the service hands them out.
create function pg_temp.external(prefix text, key bigint, seed bigint) returns text immutable language sql as
  'select prefix || ''_'' || substr(translate(md5(seed || prefix || key), ''0189'', ''wxyz''), 1, 20)';

create temporary table metric (metric_nr int, metric text, delta float8, night_sd float8, trial_sd float8);
insert into metric values (0, 'response_excess_p50_ms', 0.02, 0.012, 0.020),
                          (1, 'response_excess_p99_ms', 0.05, 0.030, 0.060),
                          (2, 'cpu_us_per_request', 0.02, 0.008, 0.012),
                          (3, 'rss_mib', 0.02, 0.004, 0.008);

-- What an excess is taken of: a leaderboard ranks by it (as dev.loomboard.series.Headline declares), so its entries have points of it.
create temporary table response (metric_nr int, metric text, excess text);
insert into response values (8, 'response_p50_ms', 'response_excess_p50_ms'), (9, 'response_p99_ms', 'response_excess_p99_ms');

create temporary table variant (variant_nr int, server text, variant text, model text, framework text, startup_ms float8, bases float8[]);
insert into variant values (0, 'spring-mvc', 'platform-100', 'platform-threads', 'Spring Boot 4.1.0', 1850, '{2.4, 9.5, 190, 311}'),
                           (1, 'spring-mvc', 'platform-unlimited', 'platform-threads', 'Spring Boot 4.1.0', 1860, '{2.2, 8.9, 194, 318}'),
                           (2, 'spring-mvc', 'virtual', 'virtual-threads', 'Spring Boot 4.1.0', 1840, '{0.9, 3.6, 171, 262}'),
                           (3, 'spring-webflux', 'reactive', 'event-loop', 'Spring Boot 4.1.0', 1690, '{1.1, 4.8, 163, 228}'),
                           (4, 'quarkus', 'virtual', 'virtual-threads', 'Quarkus 3.33.2.1', 720, '{0.8, 3.1, 148, 181}');

create temporary table scenario (scenario_nr int, workload text, params jsonb, delay float8, scenario_key text, bases float8[]);
insert into scenario values
  (0, 'io', '{"delayMs": 100}', 100, 'io@1?delayMs=100;constant:rate=1000,seconds=12', '{1, 1, 1, 1}'),
  (1, 'compute', '{}', 0, 'compute@1?;constant:rate=1000,seconds=12', '{2.6, 2.1, 3.4, 1.05}'),
  (2, 'matmul', '{"size": 200, "delayMs": 25}', 25, 'matmul@1?delayMs=25&size=200;constant:rate=1000,seconds=12', '{3.8, 2.9, 5.2, 1.1}');

-- A machine measures two scenarios on two tracks: a release of its own, and the early access that all have.
create temporary table line as
select l as line, l / 20 as machine_nr, (l % 10) / 2 as variant_nr,
       case when l / 10 % 2 = 0 then 0 when l / 20 % 2 = 0 then 1 else 2 end as scenario_nr,
       case when l % 2 = 1 then 3 else l / 20 % 3 end as track_nr, l % 20 as ordinal
  from size cross join generate_series(0, size.lines - 1) l;

--# Machines, JDK builds
insert into machine (external_id, workspace_id, slug, name, visibility, agent_version, registered_at, admitted_at, last_seen_at, qualified_at,
                     fingerprint_hash, class_hash, class_label, fingerprint)
select pg_temp.external('mac', m, size.seed), w.workspace_id, 'filled-' || m, 'filled-' || m,
       case when m % 3 = 2 then 'private' else 'public' end, '0.6.0', night.first, night.first, night.last,
       case when m % 3 = 0 then night.first end, encode(sha256(('host 2 of ' || m)::bytea), 'hex'),
       encode(sha256(('class ' || m % 2)::bytea), 'hex'),
       case m % 2 when 0 then '16 cores, 64 GiB, load on another host' else '8 cores, 32 GiB, load on another host' end,
       jsonb_build_object('placement', 'remote')
  from size cross join workspace w
 cross join lateral (select size.newest - size.points * interval '6 hours' as first, size.newest as last) night
 cross join generate_series(0, (size.lines - 1) / 20) m
 where w.slug = 'main';

-- Each host changes once: another kernel, and a level of its own from then on.
insert into machine_host (workspace_id, machine_id, since, fingerprint_hash, agent_version, facts)
select m.workspace_id, m.machine_id, size.newest - (size.points - h.moved * (size.points * 3 / 5)) * interval '6 hours',
       encode(sha256(format('host %s of %s', 1 + h.moved, substr(m.slug, 8))::bytea), 'hex'), m.agent_version,
       jsonb_build_object('kernel', jsonb_build_object('release', '6.12.' || 8 + h.moved), 'cpu', jsonb_build_object('governor', 'performance'))
  from size cross join machine m cross join generate_series(0, 1) h (moved) order by m.machine_id, h.moved;

create temporary table track (track_nr int, feature int, vendor text, availability text, builds bigint);
insert into track select t.nr, t.feature, t.vendor, t.availability, least(t.builds, size.points)
  from size cross join (values (0, 25, 'temurin', 'ga', 8), (1, 21, 'temurin', 'ga', 9), (2, 26, 'temurin', 'ga', 6),
                               (3, 28, 'debian', 'ea', 40)) t (nr, feature, vendor, availability, builds);

create temporary table build as
select t.track_nr, b as build_nr,
       case t.availability when 'ga' then format('%s.0.%s+9', t.feature, b) else format('%s-ea+%s-Debian-1', t.feature, b) end as version,
       case t.availability when 'ga' then format('%s-%s.0.%s_9-amd64', t.vendor, t.feature, b)
                           else format('%s-%s-ea_%s-amd64', t.vendor, t.feature, b) end as slug
  from track t cross join generate_series(1, t.builds) b
 where t.track_nr in (select track_nr from line);

insert into jdk_build (slug, identity, vendor, runtime_version, feature, availability, architecture, build_order, lineage, lineage_hash, first_seen_at)
select b.slug, 'filled ' || b.slug, t.vendor, b.version, t.feature, t.availability, 'amd64',
       case t.availability when 'ga' then array[t.feature, 0, b.build_nr, 0, 0, 0, 1, 9] else array[t.feature, 0, 0, 0, 0, 0, 0, b.build_nr] end,
       jsonb_build_object('vendor', t.vendor, 'compiler', 'gcc 14.2', 'libc', 'glibc', 'debugLevel', 'release', 'internal', '',
                          'cds', '[]'::jsonb, 'release', '{}'::jsonb, 'hash', 'lineage-' || t.vendor),
       'lineage-' || t.vendor, size.newest - size.points * interval '6 hours' * (1 - (b.build_nr - 1)::float8 / t.builds)
  from size cross join build b join track t using (track_nr) order by t.feature, b.build_nr;

insert into machine_jdk (machine_id, jdk_build_id, present, agent_slug)
select distinct m.machine_id, j.jdk_build_id, b.build_nr > t.builds - 5, j.slug
  from line l join machine m on m.slug = 'filled-' || l.machine_nr
  join track t using (track_nr) join build b using (track_nr) join jdk_build j on j.slug = b.slug;

--# What each build changed
-- One build in twenty moves a metric of a line by 3 to 12 %, for good: these are the change points of the histories.
create temporary table level as
select l.line, m.metric_nr, b.build_nr, j.jdk_build_id,
       ln(v.bases[m.metric_nr + 1] * s.bases[m.metric_nr + 1] * (1 + 0.1 * (l.machine_nr % 2)))
       + sum(case when b.build_nr > 1 and pg_temp.uniform(k.key, size.seed + 1) < 0.05
                  then sign(pg_temp.uniform(k.key, size.seed + 2) - 0.5) * (0.03 + 0.09 * pg_temp.uniform(k.key, size.seed + 3))
                  else 0 end) over (partition by l.line, m.metric_nr order by b.build_nr) as ln_value
  from size cross join line l join variant v using (variant_nr) join scenario s using (scenario_nr)
  join build b using (track_nr) join jdk_build j on j.slug = b.slug cross join metric m
 cross join lateral (select (l.line * 10 + m.metric_nr) * 1000 + b.build_nr as key) k;
create index on level (line, metric_nr, build_nr);
analyze level;
