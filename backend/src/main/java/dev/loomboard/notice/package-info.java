/**
 * Notices: what one JDK build is confirmed to have changed, gathered until people are told.
 *
 * <p>{@link NoticeStore} adds confirmed changes to the notice of their cause, in the transaction that confirms them; {@code outbox} closes
 * notices and tells people.
 *
 * <p>It must not know {@code regression}, which calls it, nor how anybody is told.
 */
@NullMarked
package dev.loomboard.notice;

import org.jspecify.annotations.NullMarked;
