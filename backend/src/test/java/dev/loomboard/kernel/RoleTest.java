package dev.loomboard.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RoleTest {

    private static final WorkspaceId HERE = new WorkspaceId(1);
    private static final WorkspaceId THERE = new WorkspaceId(2);

    @Test
    void roles_have_the_rights_that_the_security_document_lists() {
        assertThat(rights(Role.VIEWER)).containsExactly(Right.READ);
        assertThat(rights(Role.MEMBER)).containsExactly(Right.READ, Right.RUN, Right.NOTE, Right.TRIAGE);
        assertThat(rights(Role.OWNER)).containsExactly(Right.values());
    }

    @Test
    void person_has_the_rights_of_the_role_in_that_workspace_and_no_other() {
        Caller person =
                new Caller.Person(new AccountId(1), "acc_x", "X", true, Map.of(HERE, Role.MEMBER, THERE, Role.OWNER));
        assertThat(person.may(Right.RUN, HERE)).isTrue();
        assertThat(person.may(Right.MACHINES, HERE)).isFalse();
        assertThat(person.may(Right.MACHINES, THERE)).isTrue();
        assertThat(person.may(Right.READ, new WorkspaceId(3)))
                .as("an administrator has no rights in workspaces of others")
                .isFalse();
    }

    @Test
    void keys_and_tokens_read_and_have_no_other_right() {
        for (Caller caller : List.of(
                new Caller.Agent(new MachineId(1), "mac_x", HERE),
                new Caller.Token("tok_x", HERE, Set.of("run:write")))) {
            for (Right right : Right.values()) {
                assertThat(caller.may(right, HERE))
                        .as("%s of %s", right, caller)
                        .isEqualTo(right == Right.READ);
                assertThat(caller.may(right, THERE)).isFalse();
            }
        }
    }

    @Test
    void chosen_workspace_comes_first_where_something_new_is_made() {
        Caller.Person person = new Caller.Person(
                new AccountId(1),
                "acc_x",
                "X",
                false,
                List.of(
                        new Membership(THERE, "there", "There", Role.OWNER),
                        new Membership(HERE, "here", "Here", Role.OWNER)));
        assertThat(person.where(Right.MATRICES)).containsExactly(THERE, HERE);
        assertThat(person.chosen()).extracting(Membership::slug).isEqualTo("there");
    }

    private static List<Right> rights(Role role) {
        return Stream.of(Right.values()).filter(role::may).toList();
    }
}
