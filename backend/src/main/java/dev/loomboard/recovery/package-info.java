/**
 * Help for people who are locked out.
 *
 * <p>{@link PasswordResetService} gives new passwords by mailed links, {@link AccountRecoveryApplication} is the operator's
 * commands.
 */
@NullMarked
package dev.loomboard.recovery;

import org.jspecify.annotations.NullMarked;
