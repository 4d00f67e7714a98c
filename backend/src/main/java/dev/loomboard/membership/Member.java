package dev.loomboard.membership;

import dev.loomboard.kernel.Role;
import java.time.Instant;

/**
 * A person in a workspace, as its other members see them.
 *
 * @param id external id of the account
 * @param since when they came
 */
public record Member(String id, String name, Role role, Instant since) {}
