-- Assignments are signed, so that an agent can tell the service that it registered with from whoever answers in its place.

create table signing_key (
  signing_key_id bigint generated always as identity primary key,
  key_id         text not null constraint signing_key_key_id_uq unique
                 constraint signing_key_key_id_ck check (key_id ~ '^[0-9a-f]{16}$'),
  public_key     bytea not null constraint signing_key_public_key_ck check (octet_length(public_key) = 32),
  private_key    bytea,
  announcement   bytea constraint signing_key_announcement_ck check (octet_length(announcement) = 64),
  created_at     timestamptz not null default now(),
  replaced_at    timestamptz,
  constraint signing_key_private_key_ck check ((private_key is null) = (replaced_at is not null))
);
create unique index signing_key_present_uix on signing_key ((true)) where replaced_at is null;
comment on table signing_key is 'Ed25519 keys by which the installation signs assignments: the present one and all before it';
comment on column signing_key.signing_key_id is 'Internal; rises with each rotation';
comment on column signing_key.key_id is 'First 16 hexadecimal digits of SHA-256 of the public key';
comment on column signing_key.public_key is 'The 32 bytes of RFC 8032';
comment on column signing_key.private_key is 'PKCS #8; null once replaced: nothing is signed by it any more';
comment on column signing_key.announcement is 'Signature of this public key by the key before it; null: the first';
comment on column signing_key.created_at is 'When it was made';
comment on column signing_key.replaced_at is 'When the next took its place; null: the present key';
