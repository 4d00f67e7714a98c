-- A person can see where the account is signed in, and end a session there. What a browser says of itself is stored in a few
-- words, its address as the throttle of sign-in groups it: enough to recognise one's own, no more.

alter table session
  add column external_id text not null default new_external_id('ses') constraint session_external_id_uq unique,
  add column address text,
  add column browser text;
comment on column session.external_id is 'Public id, ses_…';
comment on column session.address is 'Where it was begun, of IPv6 the /64; null: begun before this was noted';
comment on column session.browser is 'Browser and system in a few words; null: begun before this was noted';
