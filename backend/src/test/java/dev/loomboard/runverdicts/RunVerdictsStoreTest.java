package dev.loomboard.runverdicts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.kit.SevenBlocks;
import dev.loomboard.kit.StoreTest;
import dev.loomboard.kit.VariantBlocks;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.verdict.TestDimension;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a run decided, from uploaded trials on. */
final class RunVerdictsStoreTest extends StoreTest {

    private static final Caller ANYBODY = new Caller.Anonymous();

    private final RunVerdictsStore store = new RunVerdictsStore(database);

    @Test
    void every_declared_test_is_listed_by_family_with_verdicts_first() {
        VariantBlocks blocks = new VariantBlocks(database, transaction, "decided").run("public");
        RunVerdictsPage page = page(blocks.runs.getFirst());
        assertThat(page.families()).singleElement().satisfies(family -> {
            assertThat(family.axis()).isEqualTo(TestDimension.SERVER);
            assertThat(family.size()).isEqualTo(8);
            assertThat(family.tests()).hasSize(8).allSatisfy(test -> {
                assertThat(test.baselineWords()).isEqualTo("spring-mvc decided-first");
                assertThat(test.shared()).isEqualTo(blocks.jdk + " · G1");
                assertThat(test.verdict() == null).isEqualTo(test.reason() != null);
            });
            assertThat(family.tests())
                    .isSortedAccordingTo(Comparator.comparing(test -> test.verdict() == null ? 1 : 0));
            assertThat(family.tests().getFirst().candidateWords()).isEqualTo("spring-mvc decided-slow");
            assertThat(family.tests().getFirst().verdict()).isEqualTo(Verdict.SLOWER);
            assertThat(family.tally().slower()).isPositive();
            assertThat(family.tally().none()).isEqualTo((int) family.tests().stream()
                    .filter(test -> test.verdict() == null)
                    .count());
        });
    }

    @Test
    void nothing_is_decided_before_the_run_has_ended() {
        SevenBlocks blocks = new SevenBlocks(database, transaction, "undecided", "public");
        String id = await(database.sql("select external_id from run where run_id = " + blocks.run)
                .map(row -> String.valueOf(row.get(0, String.class)))
                .one());
        assertThat(page(id).over()).isFalse();
        assertThat(page(id).families()).singleElement().satisfies(family -> {
            assertThat(family.tests()).hasSize(blocks.familySize()).allSatisfy(test -> {
                assertThat(test.verdict()).isNull();
                assertThat(test.reason()).isEqualTo("its run has not ended");
            });
            assertThat(family.tally().none()).isEqualTo(blocks.familySize());
        });
        blocks.end("done");
        assertThat(page(id).over()).isTrue();
        assertThat(page(id).families().getFirst().tests().getFirst().verdict()).isEqualTo(Verdict.SLOWER);
    }

    @Test
    void retracted_side_has_no_verdict_and_says_why() {
        VariantBlocks blocks = new VariantBlocks(database, transaction, "withdrawn").run("public");
        execute("""
                update trial set server_digest = 'withdrawn-slow' from cell c
                 where c.cell_id = trial.cell_id and c.external_id = '%s'""".formatted(blocks.cells.get(1)));
        execute("""
                with a as (insert into account (external_id, email, display_name, password_hash, administrator)
                           values (new_external_id('acc'), 'withdrawn@example.org', 'Ada', 'none', true) returning account_id)
                insert into retraction (kind, name, version, reason, retracted_at, retracted_by)
                select 'server', 'spring-mvc', 'withdrawn-slow', 'it answered from a cache', now(), account_id from a""");
        assertThat(page(blocks.runs.getFirst()).families().getFirst().tests()).allSatisfy(test -> {
            boolean slow = test.candidateWords().endsWith("slow");
            assertThat(test.retracted() != null).isEqualTo(slow);
            if (slow) {
                assertThat(test.verdict()).isNull();
                assertThat(test.reason()).contains("it answered from a cache");
            }
        });
    }

    @Test
    void run_of_a_workspace_is_shown_to_its_members_alone() {
        VariantBlocks blocks = new VariantBlocks(database, transaction, "secret").run("private");
        String id = blocks.runs.getFirst();
        assertThat(find(id, ANYBODY)).isEmpty();
        WorkspaceId main = new WorkspaceId(number("select workspace_id from workspace where slug = 'main'"));
        Caller member = new Caller.Person(new AccountId(1), "acc_x", "M", false, Map.of(main, Role.MEMBER));
        assertThat(find(id, member)).isPresent();
        assertThat(find("run_none", member)).isEmpty();
    }

    private RunVerdictsPage page(String run) {
        return find(run, ANYBODY).orElseThrow();
    }

    private Optional<RunVerdictsPage> find(String run, Caller caller) {
        return await(store.find(run, caller).map(Optional::of).defaultIfEmpty(Optional.empty()));
    }
}
