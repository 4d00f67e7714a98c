package dev.loomboard.kernel;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A workspace that a person belongs to, and as what.
 *
 * @param slug its name in addresses
 * @param name its name for people
 */
public record Membership(WorkspaceId workspace, String slug, String name, Role role) {

    static List<Membership> nameless(Map<WorkspaceId, Role> roles) {
        return roles.entrySet().stream()
                .map(entry -> new Membership(entry.getKey(), "", "", entry.getValue()))
                .sorted(Comparator.comparing(
                        membership -> membership.workspace().value()))
                .toList();
    }
}
