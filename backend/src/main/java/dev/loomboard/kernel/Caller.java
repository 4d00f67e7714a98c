package dev.loomboard.kernel;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Who sends a request, as far as it is proven. Controllers take one as an argument. */
public sealed interface Caller {

    /** The workspaces whose private things the caller may see: what a store's query is given. */
    Set<WorkspaceId> workspaces();

    /** True when the caller may see the workspace's private things. */
    default boolean mayRead(WorkspaceId workspace) {
        return workspaces().contains(workspace);
    }

    /** True when the caller has the right in the workspace, on pages; what a token may do, its scopes and routes decide. */
    default boolean may(Right right, WorkspaceId workspace) {
        return right == Right.READ && mayRead(workspace);
    }

    /** The caller's external id, as the audit log names it. */
    String actor();

    /** Nobody in particular: reads what is public. */
    record Anonymous() implements Caller {
        @Override
        public Set<WorkspaceId> workspaces() {
            return Set.of();
        }

        @Override
        public String actor() {
            return "anonymous";
        }
    }

    /**
     * A person who signed in.
     *
     * @param id external id, acc_…
     * @param administrator may manage accounts and workspaces of the installation; gives no access to workspaces
     * @param memberships the workspaces, the chosen one first, then by slug
     */
    record Person(AccountId account, String id, String name, boolean administrator, List<Membership> memberships)
            implements Caller {
        public Person {
            memberships = List.copyOf(memberships);
        }

        /** One whose workspaces nobody asks the names of. */
        public Person(AccountId account, String id, String name, boolean administrator, Map<WorkspaceId, Role> roles) {
            this(account, id, name, administrator, Membership.nameless(roles));
        }

        @Override
        public Set<WorkspaceId> workspaces() {
            return memberships.stream().map(Membership::workspace).collect(Collectors.toSet());
        }

        @Override
        public boolean may(Right right, WorkspaceId workspace) {
            return memberships.stream()
                    .anyMatch(m -> m.workspace().equals(workspace) && m.role().may(right));
        }

        /** True when the person has the right in a workspace, whichever. */
        public boolean mayAnywhere(Right right) {
            return memberships.stream().anyMatch(m -> m.role().may(right));
        }

        /** Those in which the person has the right, the chosen one first. */
        public List<WorkspaceId> where(Right right) {
            return memberships.stream()
                    .filter(m -> m.role().may(right))
                    .map(Membership::workspace)
                    .toList();
        }

        /** Where new things go unless told otherwise; null: the person is a member of none. */
        public @Nullable Membership chosen() {
            return memberships.isEmpty() ? null : memberships.getFirst();
        }

        @Override
        public String actor() {
            return id;
        }
    }

    /**
     * The agent of a registered machine.
     *
     * @param id external id of the machine, mac_…
     */
    record Agent(MachineId machine, String id, WorkspaceId workspace) implements Caller {
        @Override
        public Set<WorkspaceId> workspaces() {
            return Set.of(workspace);
        }

        @Override
        public String actor() {
            return id;
        }
    }

    /** What an API token may do in its workspace; the route table asks for one. */
    enum TokenScope implements WireName {
        READ("read what is private in the workspace; every token may"),
        RUN_WRITE("queue runs, and import runs that were measured elsewhere"),
        MACHINE_REGISTER("register machines"),
        SCHEDULE_WRITE("make, change, pause, resume and run schedules"),
        ADMIN("all of these, let machines drain, retire machines, read the audit log");

        private final String words;

        TokenScope(String words) {
            this.words = words;
        }

        /** Its verb comes after a colon: run:write. */
        @Override
        public String wire() {
            return WireName.super.wire().replace('-', ':');
        }

        /** What it allows, for people. */
        public String words() {
            return words;
        }
    }

    /**
     * A script with an API token. What it may change is decided by scopes, on the route.
     *
     * @param id external id of the token, tok_…
     */
    record Token(String id, WorkspaceId workspace, Set<TokenScope> scopes) implements Caller {
        public Token {
            scopes = Set.copyOf(scopes);
        }

        /** The scope of an administrator includes all others. */
        public boolean has(TokenScope scope) {
            return scopes.contains(scope) || scopes.contains(TokenScope.ADMIN);
        }

        @Override
        public Set<WorkspaceId> workspaces() {
            return Set.of(workspace);
        }

        @Override
        public String actor() {
            return id;
        }
    }

    /** The operator's monitoring, proven by the token of its own: it reads figures of the service, and nothing of workspaces. */
    record Monitor() implements Caller {
        @Override
        public Set<WorkspaceId> workspaces() {
            return Set.of();
        }

        @Override
        public String actor() {
            return "monitor";
        }
    }
}
