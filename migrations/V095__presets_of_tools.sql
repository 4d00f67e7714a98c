-- The service lists the presets that are for people. Those that only the project's own tools run stay under their names, for these tools
-- and for runs of before, and are not listed; the service's start says which they are.
-- The preset quick is called starter from now on: what `make demo` runs. Its protocol stays quick/1, so its histories go on. One that
-- its owner edited is theirs, and keeps its name.

alter table matrix add column listed boolean not null default true;
comment on column matrix.listed is 'Whether pages list it and forms offer it; false: a preset of our own tools, found by its name';

update matrix x set slug = 'starter'
  from workspace w
 where w.workspace_id = x.workspace_id and w.slug = 'main' and x.slug = 'quick' and x.source = x.preset_source
       and not exists (select from matrix o where o.workspace_id = x.workspace_id and o.slug = 'starter');
