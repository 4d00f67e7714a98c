-- A workload may be a mix: several operations, of which each hit does one. What came of the hits of each is a row beside the
-- step's own, which is of all of them: the whole alone would let a faster page hide a slower form. Their seconds are not stored,
-- because no page shows them; rollup/RATIONALE.md of the service says what follows for what may be judged.

create table step_operation (
  trial_id          bigint not null,
  step              int not null,
  operation         text not null,
  weight            int not null constraint step_operation_weight_ck check (weight between 1 and 1000),
  offered           bigint not null,
  sent              bigint not null,
  completed         bigint not null,
  failed            bigint not null,
  unfinished        bigint not null,
  completed_in_step bigint not null,
  errors            jsonb not null,
  metrics           jsonb not null,
  service           bytea not null,
  service_failed    bytea,
  response          bytea,
  response_failed   bytea,
  excess            bytea,
  below_delay       bigint constraint step_operation_below_delay_ck check (below_delay >= 0),
  constraint step_operation_pk primary key (trial_id, step, operation),
  constraint step_operation_step_fk foreign key (trial_id, step) references step (trial_id, ordinal)
);
comment on table step_operation is 'One operation of a mix in one measured step; a step of another workload has none';
comment on column step_operation.trial_id is 'The trial';
comment on column step_operation.step is 'Ordinal of the step';
comment on column step_operation.operation is 'Its name in the workload';
comment on column step_operation.weight is 'How often it is drawn, against the others';
comment on column step_operation.offered is 'As step.offered, of its hits';
comment on column step_operation.sent is 'As step.sent, of its hits';
comment on column step_operation.completed is 'As step.completed, of its hits';
comment on column step_operation.failed is 'As step.failed, of its hits';
comment on column step_operation.unfinished is 'As step.unfinished, of its hits';
comment on column step_operation.completed_in_step is 'Successes within the step, answers to hits of the head included';
comment on column step_operation.errors is 'Failures by class, each with its count and what the first of them said';
comment on column step_operation.metrics is 'Made when the trial has ended: by name of the catalogue value, eligible or not, and why not';
comment on column step_operation.service is 'As step.service, of its hits';
comment on column step_operation.service_failed is 'As step.service_failed, of its hits';
comment on column step_operation.response is 'As step.response, of its hits';
comment on column step_operation.response_failed is 'As step.response_failed, of its hits';
comment on column step_operation.excess is 'As step.excess, of its hits';
comment on column step_operation.below_delay is 'As step.below_delay, of its hits';
