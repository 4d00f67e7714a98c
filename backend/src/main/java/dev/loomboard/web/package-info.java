/**
 * The HTTP edge that every feature shares: routes and roles, URLs, pages and their JSON and CSV, forms, errors, limits of
 * bodies.
 *
 * <p>{@link Routes} is the table of who may use what, {@link Urls} every link; a feature's page is a {@link Page} record,
 * drawn by {@link PageRenderer}; its JSON is a {@link PageTwin}; {@link DataTwins} makes that and CSV; {@link ErrorAnswers} is the only place that makes
 * error bodies, of a {@link Problem}. {@link PageCache} keeps some pages for anonymous callers for two seconds
 * ({@code loomboard.pages.kept-for}).
 *
 * <p>{@link RequestLimits} says how many requests a caller may send, {@link RequestBodyFilter} bounds bodies, {@link UploadMemory} what uploads take together, {@link HeavyPages} how many large
 * pages are made at once, {@link ConnectionConfig} connections.
 *
 * <p>It depends on {@code kernel} alone and knows no feature.
 */
@NullMarked
package dev.loomboard.web;

import org.jspecify.annotations.NullMarked;
