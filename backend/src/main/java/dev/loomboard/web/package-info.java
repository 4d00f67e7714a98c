/**
 * The HTTP edge that every feature shares: URLs, pages and their JSON and CSV, forms, problems.
 *
 * <p>{@link Urls} and {@link PeopleUrls} have every link; a feature's page is a {@link Page} record, drawn by {@link PageRenderer}; its JSON is a
 * {@link PageTwin}; {@link DataTwins} makes that and CSV; what is refused is a {@link Problem}. {@link PageCache} keeps some pages
 * for anonymous callers for two seconds ({@code loomboard.pages.kept-for}). The table of who may use what is {@code web.route},
 * what happens to every request {@code web.request}. How much a caller may take is in {@code limits}.
 *
 * <p>It depends on {@code kernel} alone and knows no feature.
 */
@NullMarked
package dev.loomboard.web;

import org.jspecify.annotations.NullMarked;
