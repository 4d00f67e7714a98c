/**
 * Plain mails to people, by the operator's mail server.
 *
 * <p>{@link MailService} takes a {@link Mail} and sends it by a thread of its own, again where the server does not answer;
 * {@link MailConfig} reads where to.
 *
 * <p>It knows no feature: what a mail says, and to whom it may go, is its sender's.
 */
@NullMarked
package dev.loomboard.mail;

import org.jspecify.annotations.NullMarked;
