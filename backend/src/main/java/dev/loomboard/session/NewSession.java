package dev.loomboard.session;

import dev.loomboard.kernel.Secret;
import java.time.Duration;

/**
 * The session of a browser that has proven who uses it, and what the browser is given for it.
 *
 * @param secret of the session
 * @param life how long it may last
 * @param device by which it is known from now on
 */
public record NewSession(Secret secret, Duration life, DeviceCookie device) {}
