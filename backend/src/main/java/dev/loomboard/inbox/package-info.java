/** The inbox of regressions: pages, triage, the API and the feed. */
@NullMarked
package dev.loomboard.inbox;

import org.jspecify.annotations.NullMarked;
