-- At its end a bisection measures the last build of its range once more and asks whether two changes explain its steps better than one.

alter table bisection
  add column two_posterior double precision constraint bisection_two_posterior_ck check (two_posterior >= 0 and two_posterior <= 1),
  add column two_first double precision[],
  add column two_second double precision[],
  add constraint bisection_two_ck check (num_nonnulls(two_posterior, two_first, two_second) in (0, 3)
    and (two_posterior is null or cardinality(two_first) = cardinality(builds) - 1 and cardinality(two_second) = cardinality(builds) - 1));
comment on column bisection.two_posterior is 'How probable two changes are against one; null: the last build was not measured once more, as before there was that';
comment on column bisection.two_first is 'If there are two, for each of builds but the first: how probable it is that the first of them came with that build';
comment on column bisection.two_second is 'Likewise of the second';
