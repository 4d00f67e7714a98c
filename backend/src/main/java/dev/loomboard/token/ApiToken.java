package dev.loomboard.token;

import dev.loomboard.kernel.Caller.TokenScope;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An API token, as a page lists it: never the secret.
 *
 * @param by who made it; null: the service's operator, by LOOMBOARD_BOOTSTRAP_TOKEN
 * @param expiresAt null: never
 * @param revokedAt null: it was not
 * @param lastUsedAt to about a minute; null: never
 */
public record ApiToken(
        String id,
        String name,
        String workspace,
        @Nullable String by,
        List<TokenScope> scopes,
        String last4,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant revokedAt,
        @Nullable Instant lastUsedAt) {

    public ApiToken {
        scopes = List.copyOf(scopes);
    }

    public String scopesInWords() {
        return scopes.stream().map(TokenScope::wire).collect(Collectors.joining(", "));
    }

    public boolean works(Instant now) {
        return revokedAt == null && (expiresAt == null || expiresAt.isAfter(now));
    }

    /** The operator's is revoked by starting the service without it: else the next start would accept it again. */
    public boolean revocable(Instant now) {
        return by != null && works(now);
    }
}
