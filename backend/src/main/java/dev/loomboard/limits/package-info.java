/**
 * How much of the service one caller may take: bodies, requests, large pages.
 *
 * <p>{@link RequestBodyFilter} bounds bodies by {@link BodyLimits}, {@link UploadMemory} what uploads take together,
 * {@link AnswerMemoryFilter} what answers take that nobody reads ({@link AnswerMemory}),
 * {@link RequestLimits} how many requests a caller may send ({@link TokenBucket}), {@link HeavyPages} how many large pages are made
 * at once, {@link BackgroundWork} what is computed beside pages. {@link ClientAddress} says where a request came from, behind proxies too;
 * {@link RequestConfig} sets it all up around the handler. Connections are in {@code limits.connection}.
 *
 * <p>It depends on {@code web} and {@code kernel} alone and knows no feature.
 */
@NullMarked
package dev.loomboard.limits;

import org.jspecify.annotations.NullMarked;
