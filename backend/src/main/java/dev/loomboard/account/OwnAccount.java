package dev.loomboard.account;

import dev.loomboard.session.SessionView;
import dev.loomboard.web.PageTwin;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An account as its person sees it.
 *
 * @param emailVerified when the person was seen to read mail at the address; null: never
 * @param twoStep whether a code is asked for at sign-in
 * @param hasPassword false: a provider's word made it, and no password was set since
 * @param linked whether a provider's word signs in to it
 */
public record OwnAccount(
        String id,
        String name,
        String email,
        @Nullable Instant emailVerified,
        boolean administrator,
        boolean twoStep,
        boolean hasPassword,
        boolean linked,
        List<SessionView> sessions)
        implements PageTwin {
    public OwnAccount {
        sessions = List.copyOf(sessions);
    }
}
