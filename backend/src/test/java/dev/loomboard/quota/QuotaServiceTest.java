package dev.loomboard.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.kit.PlannedTrial;
import dev.loomboard.kit.StoreTest;
import dev.loomboard.web.ProblemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Counting what workspaces have, also by several at once. */
final class QuotaServiceTest extends StoreTest {

    private final QuotaService quotas =
            new QuotaService(new QuotaStore(database, new QuotaDefaults(100, 100, 3, 3, 3, 3)));
    private WorkspaceId workspace = new WorkspaceId(0);

    @BeforeEach
    void plant() {
        execute("insert into workspace (external_id, slug, name) values (new_external_id('wsp'),"
                + " 'w-' || (select count(*) from workspace), 'Small')");
        workspace = new WorkspaceId(number("select max(workspace_id) from workspace"));
    }

    @Test
    void upload_counts_up_to_the_last_byte_and_then_writes_nothing() {
        complete(counted(60, add("a")));
        complete(counted(40, add("b")));
        assertThatThrownBy(() -> complete(counted(1, add("c")))).isInstanceOfSatisfying(ProblemException.class, e -> {
            assertThat(e.problem().status()).isEqualTo(429);
            assertThat(e.problem().detail()).contains("has 0.0 MiB of 0.0 MiB of stored measurements", "Raw samples");
            assertThat(e.retryAfter()).isEqualTo(Duration.ofMinutes(5));
        });
        assertThat(names()).isEqualTo(2);
        execute("insert into workspace_limit (workspace_id, stored_bytes) values (" + workspace.value() + ", 101)");
        complete(counted(1, add("c")));
        assertThat(stored()).isEqualTo(101);
        complete(quotas.removed(workspace.value(), 50));
        assertThat(stored()).isEqualTo(51);
    }

    /** Both look before either counts. */
    @Test
    void uploads_at_once_cannot_pass_the_quota_together() {
        DefaultTransactionDefinition own = new DefaultTransactionDefinition();
        own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        TransactionalOperator beside =
                TransactionalOperator.create(new R2dbcTransactionManager(database.getConnectionFactory()), own);
        Mono<Void> other = quotas.counted(workspace.value(), 60, add("other")).as(beside::transactional);
        assertThatThrownBy(() -> complete(counted(60, add("one").then(other)))).isInstanceOf(ProblemException.class);
        assertThat(stored()).isEqualTo(60);
        assertThat(names()).as("of the one that was refused nothing stays").isEqualTo(1);
    }

    @Test
    void artefacts_at_once_cannot_pass_the_quota_together() {
        long stored = await(Flux.range(0, 30)
                .flatMap(i -> quotas.addArtefact(workspace, 10).hasElement().as(transaction::transactional), 8)
                .filter(refused -> !refused)
                .count());
        assertThat(stored).isEqualTo(10);
        assertThat(number("select artefact_bytes from workspace_usage where workspace_id = " + workspace.value()))
                .isEqualTo(100);
    }

    @Test
    void machines_at_once_cannot_pass_the_quota_together() {
        Mono<Boolean> one = quotas.full(workspace, QuotaKind.MACHINES)
                .hasElement()
                .flatMap(full -> full
                        ? Mono.just(false)
                        : database.sql("""
                        insert into machine (external_id, workspace_id, slug, name)
                        select new_external_id('mac'), :workspace, 'm-' || count(*), 'M' from machine where workspace_id = :workspace
                        """)
                                .bind("workspace", workspace.value())
                                .then()
                                .thenReturn(true))
                .as(transaction::transactional);
        assertThat(await(Flux.range(0, 10)
                        .flatMap(i -> one, 8)
                        .filter(added -> added)
                        .count()))
                .isEqualTo(3);
    }

    @Test
    void what_is_gone_does_not_count() {
        execute(
                "insert into machine (external_id, workspace_id, slug, name, revoked_at) select new_external_id('mac'), "
                        + workspace.value()
                        + ", 'm-' || i, 'M', case when i < 4 then now() end from generate_series(1, 5) i");
        execute(
                "insert into registration_token (external_id, workspace_id, token_hash, last4, machine_slug, machine_name,"
                        + " visibility, created_by, expires_at) select new_external_id('reg'), " + workspace.value()
                        + ", sha256(i::text::bytea), 'last', 's', 'S', 'public', 'test', now() + (i || ' minutes')::interval"
                        + " from generate_series(-2, 0) i");
        Quota machines = await(quotas.of(workspace)).of(QuotaKind.MACHINES);
        assertThat(machines).isEqualTo(new Quota(QuotaKind.MACHINES, 2, 3));
        assertThat(isEmpty(quotas.full(workspace, QuotaKind.MACHINES).as(transaction::transactional)))
                .isTrue();
        execute("update registration_token set expires_at = now() + interval '1 hour' where workspace_id = "
                + workspace.value());
        assertThat(await(quotas.full(workspace, QuotaKind.MACHINES).as(transaction::transactional))
                        .refusal())
                .startsWith("the workspace has 5 of 3 machines (registrations that wait included). Revoke a machine");
    }

    /** The migration's own words, on a database that was there before it. */
    @Test
    void what_was_stored_before_counts_by_its_size() throws IOException {
        PlannedTrial plan = PlannedTrial.random();
        execute(plan.sql().replace("slug = 'main'", "workspace_id = " + workspace.value()));
        for (int seq = 0; seq < 2; seq++) {
            execute("insert into batch (trial_id, seq, fencing, sha256, bytes, late) select trial_id, " + seq
                    + ", 1, '\\x00', 150, false from trial where external_id = '" + plan.trial() + "'");
        }
        execute(
                "insert into artefact (trial_id, name, workspace_id, sha256, bytes, content) select trial_id, 'jvm.log',"
                        + " workspace_id, '\\x00', 7, '' from trial where external_id = '" + plan.trial() + "'");
        String migration = Files.readString(Path.of("../migrations/V070__quotas_of_workspaces.sql"));
        int from = migration.indexOf("insert into workspace_usage");
        execute("delete from workspace_usage");
        execute(migration.substring(from, migration.indexOf(';', from)));
        assertThat(stored()).isEqualTo(300);
        assertThat(number("select artefact_bytes from workspace_usage where workspace_id = " + workspace.value()))
                .isEqualTo(7);
        assertThat(number("select count(*) - (select count(*) from workspace) from workspace_usage"))
                .as("workspaces without a row")
                .isZero();
    }

    private Mono<Void> counted(long bytes, Mono<Void> upload) {
        return quotas.counted(workspace.value(), bytes, upload).as(transaction::transactional);
    }

    /** What an upload writes: here another machine. */
    private Mono<Void> add(String slug) {
        return database.sql("insert into machine (external_id, workspace_id, slug, name)"
                        + " values (new_external_id('mac'), :workspace, :slug, 'M')")
                .bind("workspace", workspace.value())
                .bind("slug", slug)
                .then();
    }

    private long names() {
        return number("select count(*) from machine where workspace_id = " + workspace.value());
    }

    private long stored() {
        return number("select stored_bytes from workspace_usage where workspace_id = " + workspace.value());
    }
}
