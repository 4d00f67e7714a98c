package dev.loomboard.inbox;

import dev.loomboard.bisection.BisectionService;
import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Role;
import dev.loomboard.kit.Service;
import dev.loomboard.kit.SuspectRows;
import dev.loomboard.regression.Regression;
import dev.loomboard.regression.RegressionStore;
import dev.loomboard.regression.RerunService;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A regression that a rerun confirmed, with builds between the last good one and the first bad one; no bisection yet. */
public final class ShownBisection {

    private static final String CPU = "cpu_us_per_request";
    static final double SLOWER = 1.2;

    public final SuspectRows rows;
    public final List<String> between;
    public final String regression;
    private final Service service;
    private final BisectionService bisections;

    public ShownBisection(Service service, String visibility, int builds) {
        this.service = service;
        rows = new SuspectRows(service, visibility);
        between = rows.between(builds);
        bisections = service.bean(BisectionService.class);
        RerunService reruns = service.bean(RerunService.class);
        regression = rows.suspect("plain", CPU);
        reruns.followUp().block(ShownRegressions.TIMEOUT);
        rows.measured(Objects.requireNonNull(rows.rerun(regression)), SLOWER);
        reruns.decide().block(ShownRegressions.TIMEOUT);
    }

    /** An owner, who has read the page, starts it. */
    public void start() {
        Regression found = Objects.requireNonNull(service.bean(RegressionStore.class)
                .find(new Caller.Anonymous(), regression)
                .block(ShownRegressions.TIMEOUT));
        AccountId account = new AccountId(rows.number(
                "select account_id from account where email = :email", Map.of("email", "owner@example.org")));
        var owner = new Caller.Person(account, "acc_owner", "Owner", false, Map.of(found.workspaceKey(), Role.OWNER));
        bisections
                .plan(found)
                .flatMap(plan -> bisections.start(found, owner, Integer.toString(plan.mostTrials())))
                .block(ShownRegressions.TIMEOUT);
    }

    private static final class Shared {
        static final ShownBisection WAITING = new ShownBisection(Service.shared(), "public", 8);
        static final ShownBisection DONE = done();

        private static ShownBisection done() {
            ShownBisection done = new ShownBisection(Service.shared(), "public", 8);
            done.start();
            done.go(done.between.get(5));
            return done;
        }
    }

    /** Not started. */
    public static ShownBisection waiting() {
        return Shared.WAITING;
    }

    /** To be asked for once the cast has been admitted: its owner started it. */
    public static ShownBisection done() {
        return Shared.DONE;
    }

    void advance() {
        bisections.advance().block(ShownRegressions.TIMEOUT);
    }

    /** The run of the step that is under way; empty: none is. */
    String open() {
        return rows.text("""
                        select coalesce(max(r.external_id), '') from bisection_step t join bisection b using (bisection_id)
                          join change_point c using (change_point_id) join run r on r.run_id = t.run_id
                         where c.external_id = :id and t.state = 'queued'
                        """, Map.of("id", regression));
    }

    /** Measures what it asks for until it asks for nothing more; gives the number of steps. */
    public int go(String first) {
        return go(first, first);
    }

    /**
     * The same of two changes.
     *
     * @param half oldest build that has half of it
     */
    int go(String first, String half) {
        int steps = 0;
        advance();
        for (String run = open(); !run.isEmpty(); run = open()) {
            boolean between =
                    !first.equals(half) && rows.number("""
                            select count(*) from bisection_step t join jdk_build b using (jdk_build_id) join run r using (run_id)
                             where r.external_id = :run
                               and b.build_order >= (select build_order from jdk_build where slug = :half)
                               and b.build_order < (select build_order from jdk_build where slug = :first)
                            """, Map.of("run", run, "half", half, "first", first)) > 0;
            rows.measured(run, between ? Math.sqrt(SLOWER) : SLOWER, between ? half : first);
            advance();
            steps++;
        }
        return steps;
    }
}
