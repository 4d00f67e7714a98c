-- A closed load keeps so many connections busy: no hit of it has an intended send time, so there is neither response
-- time nor lag, and no rate that was offered. And which transport sent a step, which agents until now did not say.

alter table step
  alter column rate drop not null,
  alter column response drop not null,
  alter column lag drop not null,
  add column connections int constraint step_connections_ck check (connections > 0),
  add column transport text constraint step_transport_ck check (transport in ('lean', 'standard')),
  add column http text constraint step_http_ck check (http in ('1.1', '2')),
  add constraint step_open_or_closed_ck check (
    case when connections is null then rate is not null and response is not null and lag is not null
         else rate is null and response is null and response_failed is null and lag is null end),
  add constraint step_sent_by_ck check ((transport is null) = (http is null));
comment on table step is 'One measured attack, open at one rate or closed with so many connections';
comment on column step.rate is 'Offered rate, hits per second; null: a closed load, which has none';
comment on column step.connections is 'Of a closed load: how many were kept busy; null: an open load';
comment on column step.offered is 'Hits intended; of a closed load, sent';
comment on column step.response is 'HDR V2, ns: response time of successes; null: a closed load, which has none';
comment on column step.lag is 'HDR V2, ns: actual − intended send; null: a closed load, which has none';
comment on column step.transport is 'Who spoke HTTP: the agent''s lean transport or its standard client; null: its agent did not say';
comment on column step.http is 'Version of HTTP; null: its agent did not say';

alter table load_window
  alter column response drop not null,
  alter column lag drop not null,
  add constraint load_window_open_or_closed_ck check (
    (response is null) = (lag is null) and (response is not null or response_failed is null));
comment on table load_window is 'One second of load, by intended send time; of a closed load by actual send';
comment on column load_window.intended is 'Hits intended in it; of a closed load, sent';
comment on column load_window.response is 'HDR V2, ns: response time of successes; null: a closed load, which has none';
comment on column load_window.lag is 'HDR V2, ns: actual − intended send; null: a closed load, which has none';
