package dev.loomboard.workspace;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.kernel.Role;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.util.List;
import java.util.Map;

/**
 * One workspace.
 *
 * @param may what of it is the caller's to open or change
 * @param all true: every list whole; false: its first {@link #FIRST}
 */
public record WorkspacePage(WorkspaceView workspace, Contents contents, May may, boolean all) implements Page {

    /** How much of each list is shown before one asks for all of it. */
    public static final int FIRST = 20;

    /** The most that a list holds, all of it asked for; more than the quotas allow unless an operator raised them. */
    public static final int MOST = 500;

    /** The part of a list that is shown. */
    public List<Link> shown(List<Link> links) {
        return all ? links : links.subList(0, Math.min(FIRST, links.size()));
    }

    /**
     * What the caller sees of it.
     *
     * @param members how many, by role
     */
    public record Contents(
            List<Link> machines, List<Link> matrices, List<Link> schedules, Map<String, Integer> members) {
        public Contents {
            machines = List.copyOf(machines);
            matrices = List.copyOf(matrices);
            schedules = List.copyOf(schedules);
            members = Map.copyOf(members);
        }

        public int members(Role role) {
            return members.getOrDefault(role.wire(), 0);
        }
    }

    /**
     * @param slug its name in addresses
     * @param title its name for people
     */
    public record Link(String slug, String title) {}

    /**
     * @param belong whether the caller is a person who belongs to it
     * @param machines whether they may register machines in it
     * @param hide whether an administrator's
     */
    public record May(boolean belong, boolean machines, boolean settings, boolean audit, boolean hide) {}

    public record Twin(
            @JsonUnwrapped WorkspaceView workspace,
            @JsonUnwrapped Contents contents) implements PageTwin {}

    Twin twin() {
        return new Twin(workspace, contents);
    }

    @Override
    public String template() {
        return "workspace/workspace.jte";
    }
}
