/**
 * Accounts and what their people prove themselves with: addresses, passwords, one-time links.
 *
 * <p>{@link PasswordService} hashes, {@link PasswordCheckService} asks who is signed in for the password again,
 * {@link SignInThrottle} slows guessing and {@link AskingThrottle} bounds what strangers may ask for. {@link NewAccount} says what
 * an account may be.
 *
 * <p>It knows neither sessions nor pages.
 */
@NullMarked
package dev.loomboard.credential;

import org.jspecify.annotations.NullMarked;
