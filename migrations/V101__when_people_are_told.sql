-- Messages that are over are removed by their age, which needs an index.

create index outbox_over_ix on outbox (coalesce(sent_at, next_try_at)) where state in ('sent', 'dead');
