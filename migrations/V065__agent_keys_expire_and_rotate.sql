-- An agent's key can be replaced without a new machine, whose histories would begin anew, and ends by itself.

alter table machine
  add column agent_key_expires_at timestamptz,
  add column previous_key_hash bytea constraint machine_previous_key_hash_uq unique,
  add column previous_key_until timestamptz,
  add constraint machine_previous_key_ck check (num_nonnulls(previous_key_hash, previous_key_until) in (0, 2));
comment on column machine.agent_key_expires_at is
    'From when on the agent''s key is refused; null: never, as of keys made before they expired';
comment on column machine.previous_key_hash is 'SHA-256 of the key that the present one replaced; null: there was none';
comment on column machine.previous_key_until is 'Until when the previous key is good as well';
