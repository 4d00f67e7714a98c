package dev.loomboard.outbox;

import dev.loomboard.cell.Jdk;
import dev.loomboard.notice.NoticeKind;
import java.time.Instant;
import java.util.List;

/**
 * What a notice tells.
 *
 * @param id external id
 * @param told when it was closed
 * @param workspace slug
 * @param build first of the new level
 * @param machineClass in words; empty: not known
 * @param changes what changed most first; empty: nothing of it stands any more
 * @param pointsTo what the changes together say of the cause, in sentences
 */
public record ToldNotice(
        String id,
        Instant told,
        NoticeKind kind,
        String workspace,
        String workspaceName,
        Jdk build,
        String machineClass,
        List<ToldChange> changes,
        List<String> pointsTo) {

    public ToldNotice {
        changes = List.copyOf(changes);
        pointsTo = List.copyOf(pointsTo);
    }

    /** The builds that it was compared with, each once. */
    public List<Jdk> baselines() {
        return changes.stream().map(ToldChange::good).distinct().toList();
    }
}
