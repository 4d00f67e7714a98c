-- One-time links to a new password, mailed or printed by the operator's command, and sign-ins that wait for their second step.

create table account_link (
  account_link_id bigint generated always as identity constraint account_link_pk primary key,
  token_hash      bytea not null constraint account_link_token_hash_uq unique,
  account_id      bigint constraint account_link_account_fk references account on delete cascade,
  purpose         text not null constraint account_link_purpose_ck
                  check (purpose in ('reset-mailed', 'reset-printed', 'second-step')),
  created_at      timestamptz not null,
  expires_at      timestamptz not null
);
create index account_link_account_ix on account_link (account_id);
create index account_link_expires_ix on account_link (expires_at);
comment on table account_link is 'Secrets that are good once and for a short while; deleted when they are used or expired';
comment on column account_link.account_link_id is 'Internal key';
comment on column account_link.token_hash is 'SHA-256 of the secret';
comment on column account_link.account_id is
    'Whose it is; null: the address has no account, and the row was written so that the time does not tell';
comment on column account_link.purpose is
    'reset-mailed and reset-printed: a new password; second-step: the password was right, a code is asked for';
comment on column account_link.created_at is 'When it was made';
comment on column account_link.expires_at is 'When it stops working';
