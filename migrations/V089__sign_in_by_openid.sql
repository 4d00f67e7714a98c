-- People may sign in by a provider of OpenID Connect. An account that was made so has no password until its person sets one: what
-- the service otherwise asks a password for, it then has the provider prove anew, for the session that asks.

alter table account
  add column has_password boolean not null default true;
comment on column account.has_password is 'False: it was made by a provider, and password_hash fits no password until its person sets one';

alter table session
  add column proven_at timestamptz;
comment on column session.proven_at is 'When the provider last asked its person anew who they are; null: never';

create table openid_identity (
  openid_identity_id bigint generated always as identity constraint openid_identity_pk primary key,
  account_id         bigint not null constraint openid_identity_account_fk references account on delete cascade,
  issuer             text not null,
  subject            text not null constraint openid_identity_subject_ck check (length(subject) between 1 and 255),
  linked_at          timestamptz not null,
  constraint openid_identity_uq unique (issuer, subject),
  constraint openid_identity_account_uq unique (account_id, issuer)
);
comment on table openid_identity is 'Who a provider says that somebody is, and whose account that is; never found by an address';
comment on column openid_identity.openid_identity_id is 'Internal key';
comment on column openid_identity.account_id is 'Whose account it signs in to';
comment on column openid_identity.issuer is 'The provider, as LOOMBOARD_OPENID_ISSUER named it';
comment on column openid_identity.subject is 'The person at the provider: unique there and never given to another';
comment on column openid_identity.linked_at is 'When it was linked';

create table openid_visit (
  openid_visit_id bigint generated always as identity constraint openid_visit_pk primary key,
  token_hash      bytea not null constraint openid_visit_token_hash_uq unique,
  purpose         text not null constraint openid_visit_purpose_ck check (purpose in ('sign-in', 'link', 'prove')),
  account_id      bigint constraint openid_visit_account_fk references account on delete cascade,
  next            text not null,
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  constraint openid_visit_account_ck check ((purpose = 'sign-in') = (account_id is null))
);
create index openid_visit_account_ix on openid_visit (account_id);
create index openid_visit_expires_ix on openid_visit (expires_at);
comment on table openid_visit is 'Browsers that were sent to the provider and have not come back; deleted when they do, or when it expires';
comment on column openid_visit.openid_visit_id is 'Internal key';
comment on column openid_visit.token_hash is 'SHA-256 of the secret in the browser''s cookie, of which state, nonce and verifier are made';
comment on column openid_visit.purpose is 'sign-in: to an account, or to make one; link: with an account; prove: an account''s person anew';
comment on column openid_visit.account_id is 'Whose account is linked or proven; null: that is to be found out';
comment on column openid_visit.next is 'Path to go on to afterwards';
comment on column openid_visit.created_at is 'When the browser was sent';
comment on column openid_visit.expires_at is 'When it is too late to come back';
