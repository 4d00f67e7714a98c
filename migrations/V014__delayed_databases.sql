-- A network delay between a server and its database is part of a cell, and of its scenario's key.

alter table cell add column database_delay jsonb;
comment on column cell.database_delay is 'The wire''s DatabaseDelay; null: nothing stands between server and database';
