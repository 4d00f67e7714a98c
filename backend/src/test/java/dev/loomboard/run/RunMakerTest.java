package dev.loomboard.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.WorkspaceId;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RunMakerTest {

    private static final WorkspaceId HERE = new WorkspaceId(1);
    private static final RunMaker MAKER = new RunMaker(HERE, "acc_maker");

    @Test
    void owner_cancels_every_run_a_member_only_those_that_they_started() {
        assertThat(MAKER.mayCancel(person("acc_owner", Role.OWNER))).isTrue();
        assertThat(MAKER.mayCancel(person("acc_other", Role.MEMBER))).isFalse();
        assertThat(MAKER.mayCancel(person("acc_maker", Role.MEMBER))).isTrue();
        assertThat(MAKER.mayCancel(person("acc_maker", Role.VIEWER)))
                .as("a member once, who only looks now")
                .isFalse();
    }

    @Test
    void nobody_else_cancels_it_on_a_page() {
        assertThat(MAKER.mayCancel(new Caller.Anonymous())).isFalse();
        assertThat(MAKER.mayCancel(new Caller.Token("acc_maker", HERE, Set.of(Caller.TokenScope.RUN_WRITE))))
                .isFalse();
        assertThat(MAKER.mayCancel(new Caller.Person(new AccountId(1), "acc_maker", "M", true, Map.of())))
                .isFalse();
    }

    private static Caller person(String id, Role role) {
        return new Caller.Person(new AccountId(1), id, "M", false, Map.of(HERE, role));
    }
}
