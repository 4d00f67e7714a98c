/**
 * The second step of signing in: codes of an authenticator, recovery codes, and the page that turns them on and off.
 *
 * <p>{@link Totp} makes and checks codes as a pure function; {@link TwoStepService} asks whether an account wants one and whether
 * a code is right.
 */
@NullMarked
package dev.loomboard.twostep;

import org.jspecify.annotations.NullMarked;
