-- Public ranks are for machines that an administrator admitted: results are their machine's own word, and whoever gets a
-- workspace could rank with numbers that nobody measured. Machines that are here already keep the place they have.

alter table machine add column admitted_at timestamptz;
update machine set admitted_at = registered_at where admitted_at is null;
comment on column machine.admitted_at is
  'When it was admitted to public ranks, by an administrator or at registration into the workspace main; null: not verified';
