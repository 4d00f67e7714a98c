/**
 * Signing up: who may have an account makes one here.
 *
 * <p>{@link SignUpService} makes accounts for who proved the address by a mailed link, or whom a provider vouches for;
 * {@link SignUpStore} has the rows that wait for a proof.
 */
@NullMarked
package dev.loomboard.signup;

import org.jspecify.annotations.NullMarked;
