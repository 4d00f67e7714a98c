-- A failed trial of any kind keeps what its server left: what it printed, its crash report, what its threads did.
alter table artefact
  drop constraint artefact_name_ck,
  add constraint artefact_name_ck
    check (name in ('diagnosis.json', 'stacks.txt', 'classes.json', 'jvm.log', 'server-output.txt', 'hs-err.txt', 'threads.txt'));
comment on table artefact is 'Files of diagnostic and of failed trials';
