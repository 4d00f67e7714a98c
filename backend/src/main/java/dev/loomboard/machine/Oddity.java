package dev.loomboard.machine;

import org.jspecify.annotations.Nullable;

/**
 * What of a machine's results is odd, and possible all the same: it changes no standing, a person may look.
 *
 * @param what in words
 * @param run external id of the run that shows it; null: no single one does
 */
public record Oddity(String what, @Nullable String run) {}
