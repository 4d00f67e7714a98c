package dev.loomboard.web;

import org.jspecify.annotations.Nullable;

/**
 * What a template shows: a record per page, holding everything and nothing but that. The template declares
 * {@code @param ThatRecord page} and {@code @param dev.loomboard.web.PageContext shell}.
 */
public interface Page {

    /** Path of the whole page's template under frontend/templates, such as {@code account/sign-in.jte}. */
    String template();

    /** Template of the part that an element asks for by itself; null: htmx takes its part of the whole page. */
    default @Nullable String fragment() {
        return null;
    }
}
