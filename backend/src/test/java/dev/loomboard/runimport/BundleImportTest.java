package dev.loomboard.runimport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.bundle.MemberNames;
import dev.loomboard.bundle.RecordedRun;
import dev.loomboard.bundle.Zips;
import dev.loomboard.cell.Visibility;
import dev.loomboard.web.ProblemException;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** A bundle is taken once, and whole or not at all. */
final class BundleImportTest extends ImportWebTest {

    @Test
    void same_run_is_imported_once() {
        String workspace = workspace();
        String imported = imported(workspace, bundle, Visibility.PRIVATE);
        assertThat(take(workspace, bundle, Visibility.PRIVATE)).isEqualTo(new ImportResult.Present(imported, true));
        byte[] other = Zips.withJson(bundle, MemberNames.RUN, run -> run.put("title", "Another title"));
        assertThat(take(workspace, other, Visibility.PRIVATE)).isEqualTo(new ImportResult.Present(imported, true));
        assertThat(take("main", bundle, Visibility.PRIVATE)).isEqualTo(new ImportResult.Present(measured.id, false));
        assertThat(number("select count(*) from imported_run where run_id ="
                        + " (select run_id from run where external_id = '" + imported + "')"))
                .isOne();
    }

    @Test
    void imports_at_once_make_one_run() {
        String workspace = workspace();
        long before = number("select count(*) from run");
        List<Object> results = await(Flux.range(0, 4)
                .flatMap(i -> service.bean(BundleImportService.class)
                        .take(key(workspace), "tester", Visibility.PRIVATE, file(bundle))
                        .cast(Object.class)
                        .onErrorResume(
                                ProblemException.class,
                                e -> Mono.just(e.problem().status())))
                .collectList());
        assertThat(results.stream().filter(ImportResult.Imported.class::isInstance))
                .hasSize(1);
        assertThat(results)
                .allMatch(
                        r -> r instanceof ImportResult.Imported || r instanceof ImportResult.Present || r.equals(503));
        assertThat(number("select count(*) from run")).isEqualTo(before + 1);
    }

    @Test
    void quota_of_the_workspace_holds_and_nothing_is_left() {
        String workspace = workspace();
        execute("insert into workspace_limit (workspace_id, stored_bytes) values ("
                + key(workspace).value() + ", 1000)");
        assertNothingIsLeft(
                workspace,
                () -> assertThat(take(workspace, bundle, Visibility.PRIVATE)).isInstanceOf(ImportResult.NoRoom.class));
        execute("update workspace_limit set stored_bytes = null, artefact_bytes = 10 where workspace_id = "
                + key(workspace).value());
        assertNothingIsLeft(
                workspace,
                () -> assertThat(take(workspace, bundle, Visibility.PRIVATE)).isInstanceOf(ImportResult.NoRoom.class));
        execute("update workspace_limit set artefact_bytes = null where workspace_id = "
                + key(workspace).value());
        imported(workspace, bundle, Visibility.PRIVATE);
        assertThat(number("select stored_bytes from workspace_usage where workspace_id = "
                        + key(workspace).value()))
                .isEqualTo(number(
                        "select sum(sample_bytes + kept_bytes)::bigint from batch b join trial t using (trial_id)"
                                + " where t.workspace_id = " + key(workspace).value()));
        assertThat(number("select artefact_bytes from workspace_usage where workspace_id = "
                        + key(workspace).value()))
                .isEqualTo(number("select sum(bytes)::bigint from artefact where workspace_id = "
                        + key(workspace).value()));
    }

    @Test
    void what_a_batch_cannot_be_of_its_trial_is_refused_and_nothing_is_left() {
        String workspace = workspace();
        byte[] closed = Zips.withJson(
                bundle, "trials/002/batch-00000.json", batch -> ((ObjectNode) batch.path("start")).remove("jdk"));
        assertNothingIsLeft(
                workspace,
                () -> assertThat(take(workspace, closed, Visibility.PRIVATE))
                        .isInstanceOfSatisfying(
                                ImportResult.Refused.class,
                                r -> assertThat(r.why()).contains("start.jdk")));
    }

    @Test
    void protocol_of_other_phases_under_a_known_name_is_refused() {
        byte[] other = Zips.withJson(
                bundle, MemberNames.RUN, run -> ((ObjectNode) run.at("/spec/phases")).put("settleSeconds", 9));
        assertThat(take(workspace(), other, Visibility.PRIVATE))
                .isInstanceOfSatisfying(
                        ImportResult.Refused.class,
                        r -> assertThat(r.why()).contains(RecordedRun.PROTOCOL + " stands for other phases"));
    }

    @Test
    void run_that_ends_in_the_future_is_refused() {
        byte[] future = Zips.withJson(
                bundle,
                MemberNames.RUN,
                run -> ((ObjectNode) run.at("/course/times")).put("finishedAt", "2150-01-01T00:00:00Z"));
        assertThat(take(workspace(), future, Visibility.PRIVATE))
                .isInstanceOfSatisfying(
                        ImportResult.Refused.class, r -> assertThat(r.why()).contains("future"));
    }

    private void assertNothingIsLeft(String workspace, Runnable refused) {
        long before = rows();
        refused.run();
        assertThat(rows()).isEqualTo(before);
        assertThat(number("select count(*) from machine where workspace_id = "
                        + key(workspace).value()))
                .isZero();
        assertThat(number("select coalesce(sum(stored_bytes + artefact_bytes), 0)::bigint from workspace_usage where"
                        + " workspace_id = "
                        + key(workspace).value()))
                .isZero();
    }

    private long rows() {
        return number(
                "select (select count(*) from run) + (select count(*) from trial) + (select count(*) from batch) +"
                        + " (select count(*) from matrix) + (select count(*) from jdk_build) + (select count(*) from"
                        + " audit_event)");
    }
}
