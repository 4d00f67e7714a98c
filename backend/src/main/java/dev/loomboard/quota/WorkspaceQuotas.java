package dev.loomboard.quota;

import java.util.List;

/**
 * All that is limited of one workspace.
 *
 * @param slug its name in URLs
 */
public record WorkspaceQuotas(String slug, String name, List<Quota> quotas) {

    public WorkspaceQuotas {
        quotas = List.copyOf(quotas);
    }

    Quota of(QuotaKind kind) {
        return quotas.stream().filter(q -> q.kind() == kind).findFirst().orElseThrow();
    }
}
