/**
 * Sessions: who asks in a browser, and the cookies by which it is let in and known again.
 *
 * <p>{@link Entrance} reads a request's {@link Visitor} and session and gives the cookies of an {@link NewSession};
 * {@link SessionStore} has the rows, {@link DeviceCookie} marks a browser that signed in before.
 */
@NullMarked
package dev.loomboard.session;

import org.jspecify.annotations.NullMarked;
