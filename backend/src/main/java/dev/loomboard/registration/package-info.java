/**
 * How a machine comes to be, and the key by which its agent proves who it is.
 *
 * <p>{@link RegistrationService} turns a one-time token into a machine with a key; {@link RegisterApi} is the agent's side,
 * {@link RegistrationPages} and {@link RegistrationTokenApi} are those of people and scripts. {@link KeyService} gives a
 * machine that stays the same another key.
 */
@NullMarked
package dev.loomboard.registration;

import org.jspecify.annotations.NullMarked;
