-- A code of a person's authenticator as the second step of signing in (RFC 6238), and codes on paper for a lost one. The secret
-- stands as it is: a key to encrypt it by would have to be kept elsewhere, and there is none yet.

create table account_totp (
  account_id   bigint not null constraint account_totp_pk primary key
               constraint account_totp_account_fk references account on delete cascade,
  secret       bytea not null constraint account_totp_secret_ck check (length(secret) = 20),
  created_at   timestamptz not null,
  confirmed_at timestamptz,
  last_step    bigint
);
comment on table account_totp is 'The secret that an account shares with an authenticator';
comment on column account_totp.account_id is 'Whose it is';
comment on column account_totp.secret is 'The shared secret, not encrypted';
comment on column account_totp.created_at is 'When it was made';
comment on column account_totp.confirmed_at is 'When a first code was right, from when on codes are asked for; null: not yet';
comment on column account_totp.last_step is 'Time step of the newest code that was used, so that none is used twice; null: none was';

create table recovery_code (
  recovery_code_id bigint generated always as identity constraint recovery_code_pk primary key,
  account_id       bigint not null constraint recovery_code_account_fk references account_totp on delete cascade,
  code_hash        bytea not null,
  used_at          timestamptz,
  constraint recovery_code_uq unique (account_id, code_hash)
);
comment on table recovery_code is 'Codes on paper, each good once in place of the authenticator''s';
comment on column recovery_code.recovery_code_id is 'Internal key';
comment on column recovery_code.account_id is 'Whose it is';
comment on column recovery_code.code_hash is 'SHA-256 of the code, which has 80 random bits';
comment on column recovery_code.used_at is 'When it was used; null while good';
