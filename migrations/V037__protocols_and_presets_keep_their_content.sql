-- A protocol's name stands for its phases: boards and histories know a protocol by its name alone, so a matrix with other
-- phases under a name that is known is refused, which looks for it among runs.
-- A preset that its owner edited is theirs. Until now every start replaced it; those of before are taken as unedited once more.

create index run_protocol_ix on run ((spec ->> 'protocol'));
comment on index run_protocol_ix is 'Which phases a protocol''s name stands for';

alter table matrix add column preset_source text;
comment on column matrix.preset_source is 'What the service last put here at its start; other than source: its owner edited it, and no start replaces it; null: no preset';
update matrix x set preset_source = x.source
  from workspace w
 where w.workspace_id = x.workspace_id and w.slug = 'main'
   and x.slug in ('beyond-100', 'e1-constant', 'e1-ramp', 'e2-delay', 'e3-closed', 'e4-sequential', 'equal', 'law-e1', 'qualify',
                  'quick', 'search-io', 'seeded');
