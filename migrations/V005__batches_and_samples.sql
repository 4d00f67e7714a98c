-- The raw record. A batch is stored once (trial, seq) with its digest, so that sending it again is harmless;
-- samples are columns (one array row per trial, metric and batch), latency is histograms per second.

create table batch (
  trial_id    bigint not null constraint batch_trial_fk references trial,
  seq         int not null constraint batch_seq_ck check (seq >= 0),
  fencing     bigint not null,
  sha256      bytea not null,
  bytes       int not null,
  late        boolean not null,
  received_at timestamptz not null default now(),
  constraint batch_pk primary key (trial_id, seq)
);
comment on table batch is 'Which uploads were stored';
comment on column batch.trial_id is 'The trial';
comment on column batch.seq is 'Number within the trial, from 0';
comment on column batch.fencing is 'Lease the sender held';
comment on column batch.sha256 is 'Digest of the decompressed body: same again is 204, another is 409';
comment on column batch.bytes is 'Size, decompressed';
comment on column batch.late is 'Came under a superseded lease';
comment on column batch.received_at is 'When it was stored';

create table trial_phase (
  trial_id bigint not null constraint trial_phase_trial_fk references trial,
  at_ns    bigint not null,
  phase    text not null constraint trial_phase_phase_ck check (phase in ('provision', 'start', 'verify', 'warmup', 'gc', 'settle', 'rewarm', 'measure', 'stop', 'collect')),
  constraint trial_phase_pk primary key (trial_id, at_ns, phase)
);
comment on table trial_phase is 'When a trial entered which phase';
comment on column trial_phase.trial_id is 'The trial';
comment on column trial_phase.at_ns is 'ns from the trial''s start';
comment on column trial_phase.phase is 'The phase entered';

create table sample_chunk (
  trial_id bigint not null constraint sample_chunk_trial_fk references trial,
  metric   text not null,
  seq      int not null,
  at_ns    bigint[] not null,
  value    double precision[] not null,
  constraint sample_chunk_pk primary key (trial_id, metric, seq)
);
comment on table sample_chunk is 'Samples of one metric in one batch; a null element was not measured, it is not zero';
comment on column sample_chunk.trial_id is 'The trial';
comment on column sample_chunk.metric is 'Name in the metric catalogue';
comment on column sample_chunk.seq is 'The batch';
comment on column sample_chunk.at_ns is 'Times, ns from the trial''s start';
comment on column sample_chunk.value is 'Values as read (counters stay counters), in the catalogue''s unit';

create table load_window (
  trial_id        bigint not null constraint load_window_trial_fk references trial,
  at_ns           bigint not null,
  phase           text not null constraint load_window_phase_ck check (phase in ('warmup', 'rewarm', 'measure')),
  step            int not null,
  intended        bigint not null,
  sent            bigint not null,
  completed       bigint not null,
  failed          bigint not null,
  service         bytea not null,
  service_failed  bytea,
  response        bytea not null,
  response_failed bytea,
  lag             bytea not null,
  response_p50_ns bigint,
  response_p99_ns bigint,
  service_p50_ns  bigint,
  service_p99_ns  bigint,
  constraint load_window_pk primary key (trial_id, at_ns)
);
comment on table load_window is 'One second of load, by intended send time';
comment on column load_window.trial_id is 'The trial';
comment on column load_window.at_ns is 'Start of the second, ns from the trial''s start';
comment on column load_window.phase is 'warmup, rewarm or measure';
comment on column load_window.step is 'Ordinal of the step within its phase, from 0';
comment on column load_window.intended is 'Hits intended in it';
comment on column load_window.sent is 'Of these, sent';
comment on column load_window.completed is 'Of these, answered with success';
comment on column load_window.failed is 'Of these, failed';
comment on column load_window.service is 'HDR V2, ns: service time of successes';
comment on column load_window.service_failed is 'HDR V2, ns: of failures; null: none';
comment on column load_window.response is 'HDR V2, ns: response time of successes';
comment on column load_window.response_failed is 'HDR V2, ns: of failures; null: none';
comment on column load_window.lag is 'HDR V2, ns: actual − intended send';
comment on column load_window.response_p50_ns is 'For charts, successes and failures merged; null: no hit';
comment on column load_window.response_p99_ns is 'For charts; null: no hit';
comment on column load_window.service_p50_ns is 'For charts; null: no hit';
comment on column load_window.service_p99_ns is 'For charts; null: no hit';

create table trial_metric (
  trial_id bigint not null constraint trial_metric_trial_fk references trial,
  metric   text not null,
  value    double precision not null,
  eligible boolean not null,
  reason   text,
  constraint trial_metric_pk primary key (trial_id, metric)
);
comment on table trial_metric is 'A trial in numbers, one row per derived metric that could be measured; no row: not measured';
comment on column trial_metric.trial_id is 'The trial';
comment on column trial_metric.metric is 'Name in the metric catalogue';
comment on column trial_metric.value is 'In the catalogue''s unit';
comment on column trial_metric.eligible is 'Whether it may be judged (STATISTICS: percentiles need enough hits beyond them)';
comment on column trial_metric.reason is 'Why not eligible';
