package dev.loomboard.retraction;

import dev.loomboard.retracted.Version;
import dev.loomboard.web.Urls;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What was found wrong, as scripts read it.
 *
 * @param id external id
 * @param version as {@link Version}
 * @param at when it was retracted
 * @param by the name of who did
 * @param withdrawnAt null, with the two that follow: it stands
 * @param withdrawal why it was withdrawn
 */
public record Retraction(
        String id,
        String url,
        Version.Kind kind,
        String name,
        String version,
        String reason,
        Instant at,
        String by,
        @Nullable Instant withdrawnAt,
        @Nullable String withdrawnBy,
        @Nullable String withdrawal) {

    static Retraction of(
            String id,
            Version of,
            String reason,
            Instant at,
            String by,
            @Nullable Instant withdrawnAt,
            @Nullable String withdrawnBy,
            @Nullable String withdrawal) {
        return new Retraction(
                id,
                Urls.retraction(id),
                of.kind(),
                of.name(),
                of.version(),
                reason,
                at,
                by,
                withdrawnAt,
                withdrawnBy,
                withdrawal);
    }

    public boolean stands() {
        return withdrawnAt == null;
    }

    /** What it is about, in words. */
    public String subject() {
        return new Version(kind, name, version).words();
    }

    Instant updated() {
        return Objects.requireNonNullElse(withdrawnAt, at);
    }
}
