/**
 * API tokens, by which scripts act for a workspace: their page, and what they may do.
 *
 * <p>{@link ApiTokenService} makes and revokes them with the audit log; {@link dev.loomboard.kernel.Caller.TokenScope} lists what
 * one may do. What a request's token admits is decided in {@code access}.
 */
@NullMarked
package dev.loomboard.token;

import org.jspecify.annotations.NullMarked;
