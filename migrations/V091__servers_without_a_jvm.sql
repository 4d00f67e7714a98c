-- Servers without a JVM (kind process) stand in matrices. Their cells have no JDK: one row of jdk_build says so for all of them,
-- instead of a null in each table, so that what is unique per build stays unique, what is joined stays joined, and nothing that is
-- stored changes. No machine has this row: machine_jdk never names it.

alter table jdk_build drop constraint jdk_build_feature_ck;
alter table jdk_build add constraint jdk_build_feature_ck check (feature between 8 and 999 or feature = 0 and jdk_build_id = 0);

insert into jdk_build (jdk_build_id, slug, identity, vendor, runtime_version, feature, availability, architecture, build_order, lineage,
                       lineage_hash)
overriding system value
values (0, 'no-jdk', 'no-jdk', '', 'No JDK', 0, 'ga', '', '{0}', '{}', '');

comment on table jdk_build is 'One exact JDK; a fact about the world, owned by nobody. Row 0 is none: no JDK, of servers without a JVM';
comment on column jdk_build.feature is 'Feature release; 0 of row 0, no JDK';
comment on column cell.jdk_build_id is 'The JDK build; 0: no JDK, the server has no JVM';
comment on column cell.collector is 'Garbage collector asked for; none: the server has no JVM';
comment on column point.jdk_build_id is 'The build it was measured on; 0: no JDK';
comment on column leaderboard_entry.jdk_build_id is 'The build; 0: no JDK';
