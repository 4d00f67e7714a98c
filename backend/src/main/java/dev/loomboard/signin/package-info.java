/**
 * Signing in and out.
 *
 * <p>{@link SignInService} proves people by their passwords; {@link EntryService} lets in whom that, or anything else, has proven:
 * by a code of {@code twostep} where the account asks for one. Providers that vouch for people are in {@code openid}.
 */
@NullMarked
package dev.loomboard.signin;

import org.jspecify.annotations.NullMarked;
