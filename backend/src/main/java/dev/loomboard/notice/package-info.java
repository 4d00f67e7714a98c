/**
 * Notices: what one JDK build is confirmed to have changed, gathered until people are told, and alarms of schedules and machines.
 *
 * <p>{@link NoticeStore} adds confirmed changes to the notice of their cause, in the transaction that confirms them; {@link AlarmNoticeSql}
 * opens a notice in the statement that notes an alarm; {@code outbox} closes notices and tells people.
 *
 * <p>It must not know {@code regression} and {@code alarm}, which call it, nor how anybody is told.
 */
@NullMarked
package dev.loomboard.notice;

import org.jspecify.annotations.NullMarked;
