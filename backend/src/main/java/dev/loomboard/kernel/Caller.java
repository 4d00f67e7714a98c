package dev.loomboard.kernel;

import java.util.Map;
import java.util.Set;

/** Who sends a request, as far as it is proven. Controllers take one as an argument. */
public sealed interface Caller {

    /** The workspaces whose private things the caller may see: what a store's query is given. */
    Set<WorkspaceId> workspaces();

    /** True when the caller may see the workspace's private things. */
    default boolean mayRead(WorkspaceId workspace) {
        return workspaces().contains(workspace);
    }

    /** True when the caller may change the workspace's machines, schedules and runs from a page. */
    boolean owns(WorkspaceId workspace);

    /** The caller's external id, as the audit log names it. */
    String actor();

    /** Nobody in particular: reads what is public. */
    record Anonymous() implements Caller {
        @Override
        public Set<WorkspaceId> workspaces() {
            return Set.of();
        }

        @Override
        public boolean owns(WorkspaceId workspace) {
            return false;
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
     */
    record Person(AccountId account, String id, String name, boolean administrator, Map<WorkspaceId, Role> roles)
            implements Caller {
        public Person {
            roles = Map.copyOf(roles);
        }

        @Override
        public Set<WorkspaceId> workspaces() {
            return roles.keySet();
        }

        @Override
        public boolean owns(WorkspaceId workspace) {
            return roles.get(workspace) == Role.OWNER;
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
        public boolean owns(WorkspaceId other) {
            return false;
        }

        @Override
        public String actor() {
            return id;
        }
    }

    /**
     * A script with an API token. What it may change is decided by scopes, on the route.
     *
     * @param id external id of the token, tok_…
     */
    record Token(String id, WorkspaceId workspace, Set<String> scopes) implements Caller {
        public Token {
            scopes = Set.copyOf(scopes);
        }

        @Override
        public Set<WorkspaceId> workspaces() {
            return Set.of(workspace);
        }

        @Override
        public boolean owns(WorkspaceId other) {
            return false;
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
        public boolean owns(WorkspaceId workspace) {
            return false;
        }

        @Override
        public String actor() {
            return "monitor";
        }
    }
}
