/**
 * The HTTP edge that every feature shares: routes and roles, URLs, pages and their JSON and CSV, forms, errors, limits of bodies.
 *
 * <p>It depends on {@code kernel} alone. {@link dev.loomboard.web.PageCache} keeps leaderboard, comparison, history and the list
 * of regressions for two seconds ({@code loomboard.pages.kept-for}), by address and for anonymous callers only: a new result is
 * seen that much later, and a page is made once for all who wait.
 */
@NullMarked
package dev.loomboard.web;

import org.jspecify.annotations.NullMarked;
