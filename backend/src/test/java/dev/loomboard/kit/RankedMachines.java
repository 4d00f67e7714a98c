package dev.loomboard.kit;

import dev.loomboard.kernel.Secret;
import dev.loomboard.recompute.RecomputeService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;

/** Machines whose results rank on the shared service's public boards, and an administrator who may say that they do not. */
public final class RankedMachines {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String ADMINISTRATORS = "@ranked.example.org";

    private final Service service;
    private final DatabaseClient database;

    public RankedMachines(Service service) {
        this.service = service;
        this.database = service.bean(DatabaseClient.class);
    }

    /** Ten sound trials about so many ms, in a run of a machine of that name. */
    public Bench ranked(String machine, String scenario, double millis) {
        Bench bench = new Bench(database, machine);
        bench.qualify();
        again(bench, bench.jdk(machine + "-25", 25, 1), scenario, millis);
        return bench;
    }

    /**
     * In a run of its own.
     *
     * @param jdk internal key of the build
     */
    public Bench.Cell again(Bench bench, long jdk, String scenario, double millis) {
        Bench.Cell cell = bench.cell(jdk, "public", new Bench.Point(scenario, 0, "{}"));
        List<Long> trials = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Bench.Trial trial = bench.planned(cell, "scored", i + 1, 1);
            trials.add(bench.measured(trial, millis + i * 0.01, "valid").id());
        }
        service.bean(RecomputeService.class)
                .trialsEnded(trials)
                .as(service.bean(TransactionalOperator.class)::transactional)
                .block(TIMEOUT);
        return cell;
    }

    /** By machine: "bench 1–1 of 2". */
    public List<String> ranks(String scenario) {
        return Objects.requireNonNull(database.sql("""
                        select m.slug || ' ' || r.best || '–' || r.worst || ' of ' || r.entries
                          from leaderboard_rank r join leaderboard_entry e using (leaderboard_entry_id) join machine m using (machine_id)
                         where e.scenario_key = :scenario order by 1
                        """)
                .bind("scenario", scenario)
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .all()
                .collectList()
                .block(TIMEOUT));
    }

    /** A new session of an administrator who is in no workspace. */
    public Secret administrator() {
        Secret session = Secret.random("lbs");
        database.sql("""
                        with a as (insert into account (external_id, email, display_name, password_hash, administrator)
                                   values (new_external_id('acc'), :email, 'Ada Lovelace', 'none', true) returning account_id)
                        insert into session (token_hash, account_id, expires_at)
                        select :hash, account_id, now() + interval '1 hour' from a
                        """)
                .bind("email", session.value().substring(4, 20) + ADMINISTRATORS)
                .bind("hash", session.hash())
                .then()
                .block(TIMEOUT);
        return session;
    }

    /** Of the shared service another test is to make the first administrator. */
    public void dismissAdministrators() {
        database.sql("update account set administrator = false where email like '%" + ADMINISTRATORS + "'")
                .then()
                .block(TIMEOUT);
    }
}
