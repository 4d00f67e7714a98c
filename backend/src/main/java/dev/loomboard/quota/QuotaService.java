package dev.loomboard.quota;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.web.Problem;
import dev.loomboard.web.ProblemException;
import dev.loomboard.web.Urls;
import java.time.Duration;
import java.util.List;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Says what a workspace may still have. All but reads for pages are called in the transaction of what is added. */
@Service
public class QuotaService {

    /** An agent keeps what it measured meanwhile. */
    private static final Duration LOOK_AGAIN = Duration.ofMinutes(5);

    private static final String KIND = "quota";

    private final QuotaStore store;

    QuotaService(QuotaStore store) {
        this.store = store;
    }

    /** Of the workspaces that a person owns, by slug. */
    public Mono<List<WorkspaceQuotas>> owned(Caller.Person person) {
        return store.of(person.where(Right.SETTINGS)).collectList();
    }

    public Mono<WorkspaceQuotas> of(WorkspaceId workspace) {
        return store.of(List.of(workspace)).next();
    }

    /** The quota that is used up; empty: one more may be added, and nobody else adds any until the transaction ends. */
    public Mono<Quota> full(WorkspaceId workspace, QuotaKind kind) {
        return store.lock(workspace)
                .then(Mono.defer(() -> of(workspace)))
                .map(quotas -> quotas.of(kind))
                .filter(quota -> quota.exceededBy(1));
    }

    /**
     * Does an upload and counts it, or refuses it (429): its sender keeps it and comes back. The count is locked last, so that
     * uploads of a workspace do not wait for each other's roll-ups; it is looked at first, so that one without room writes
     * nothing.
     */
    public Mono<Void> counted(long workspace, long bytes, Mono<Void> upload) {
        return store.stored(workspace)
                .flatMap(quota -> quota.exceededBy(bytes)
                        ? Mono.<Void>error(later(quota))
                        : upload.then(Mono.defer(() -> store.add(workspace, QuotaKind.STORED, bytes, quota.allowed())))
                                .flatMap(counted -> counted ? Mono.<Void>empty() : Mono.<Void>error(later(quota))));
    }

    /** The quota of measurements, when it is used up: nothing that is measured now could be stored. Empty: there is room. No lock. */
    public Mono<Quota> noRoom(WorkspaceId workspace) {
        return store.stored(workspace.value()).filter(quota -> quota.exceededBy(1));
    }

    /** Counts an artefact and locks the count. The quota that is used up; empty: there was room. */
    public Mono<Quota> addArtefact(WorkspaceId workspace, long bytes) {
        return of(workspace)
                .map(quotas -> quotas.of(QuotaKind.ARTEFACTS))
                .flatMap(quota -> store.add(workspace.value(), QuotaKind.ARTEFACTS, bytes, quota.allowed())
                        .flatMap(counted -> counted ? Mono.<Quota>empty() : Mono.just(quota)));
    }

    /** Measurements of this many bytes were removed. */
    public Mono<Void> removed(long workspace, long bytes) {
        return store.removed(workspace, bytes);
    }

    private static ProblemException later(Quota quota) {
        return later(quota.refusal() + ". The agent keeps the upload and sends it again when there is room");
    }

    /** Refuses what is good again when there is room. */
    public static ProblemException later(String why) {
        return Problem.of(429, KIND, "No room left", sentence(why)).asException(LOOK_AGAIN);
    }

    /** Why nothing can be added until something else is removed. */
    public static Problem refusal(Quota quota) {
        return Problem.conflict(KIND, sentence(quota));
    }

    /** Whether it was thrown because a quota is used up. */
    public static boolean isRefusal(Throwable error) {
        return error instanceof ProblemException refused
                && refused.problem().type().equals(Urls.problem(KIND));
    }

    /** Of a refusal, for a form. */
    public static String why(Throwable refusal) {
        return String.valueOf(((ProblemException) refusal).problem().detail());
    }

    /** Why there cannot be more, and what to do. */
    public static String sentence(Quota quota) {
        return sentence(quota.refusal());
    }

    private static String sentence(String words) {
        return Character.toUpperCase(words.charAt(0)) + words.substring(1) + ".";
    }
}
