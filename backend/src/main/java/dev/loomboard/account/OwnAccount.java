package dev.loomboard.account;

import dev.loomboard.web.PageTwin;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An account as its person sees it.
 *
 * @param emailVerified when the person was seen to read mail at the address; null: never
 * @param twoStep whether a code is asked for at sign-in
 */
public record OwnAccount(
        String id,
        String name,
        String email,
        @Nullable Instant emailVerified,
        boolean administrator,
        boolean twoStep,
        List<SessionView> sessions)
        implements PageTwin {
    public OwnAccount {
        sessions = List.copyOf(sessions);
    }
}
