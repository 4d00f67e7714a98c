package dev.loomboard.registration;

import dev.loomboard.web.Page;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a machine to register and for its agent to be started; as a fragment it asks again by itself until both are done.
 *
 * @param command the line to paste: only right after it was made, because the token is not kept
 * @param install the same for a machine without the agent; null: the service has none to offer, or as with the command
 * @param machine slug of the machine once it has registered
 * @param started whether the machine's agent has been started, so that runs can be queued
 * @param expired whether the token's time is over
 */
public record WaitingPage(
        String id,
        String workspace,
        String name,
        @Nullable String command,
        @Nullable InstallLines install,
        String last4,
        Instant expiresAt,
        @Nullable String machine,
        boolean started,
        boolean expired)
        implements Page {
    @Override
    public String template() {
        return "machine/waiting.jte";
    }

    @Override
    public String fragment() {
        return "machine/_waiting.jte";
    }
}
