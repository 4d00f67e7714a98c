package dev.loomboard.view;

import org.jspecify.annotations.Nullable;

/**
 * One step of the way to a page.
 *
 * @param href null: the page itself
 */
public record Crumb(String text, @Nullable String href) {}
