-- Who signs up is asked to prove the address where mail can be sent. Until then nothing but this row exists, so that nobody
-- takes an address that belongs to somebody else.

alter table account
  add column email_verified_at timestamptz;
comment on column account.email_verified_at is 'When its person was seen to read mail at the address; null: never';

create table sign_up (
  sign_up_id    bigint generated always as identity constraint sign_up_pk primary key,
  token_hash    bytea not null constraint sign_up_token_hash_uq unique,
  email         text not null constraint sign_up_email_ck check (email = lower(email) and length(email) <= 254),
  display_name  text not null,
  password_hash text not null,
  next          text not null,
  created_at    timestamptz not null,
  expires_at    timestamptz not null
);
create index sign_up_expires_ix on sign_up (expires_at);
create index sign_up_email_ix on sign_up (email);
comment on table sign_up is 'Accounts that were asked for and wait for their address to be proven; deleted when it is, or when it expires';
comment on column sign_up.sign_up_id is 'Internal key';
comment on column sign_up.token_hash is 'SHA-256 of the secret in the mailed link';
comment on column sign_up.email is 'The address to be proven; it may have an account already, then no link was mailed';
comment on column sign_up.display_name is 'Name that the account gets';
comment on column sign_up.password_hash is 'Argon2id of the password that was chosen';
comment on column sign_up.next is 'Path to go on to afterwards';
comment on column sign_up.created_at is 'When it was asked for';
comment on column sign_up.expires_at is 'When the link stops working';
