package dev.loomboard.outbox;

import java.time.Instant;

/**
 * What a notice tells.
 *
 * @param id external id
 * @param told when it was closed
 * @param workspace slug
 */
public record ToldNotice(String id, Instant told, String workspace, String workspaceName, Told what) {}
