/**
 * Tells people what was confirmed: notices become messages, one for each person, which a job sends.
 *
 * <p>{@link OutboxService} closes notices that have gathered and sends what is due; {@link OutboxStore} holds the rows, of which a replica
 * takes some for a while, and a {@link ChannelService} how they go out ({@link MailChannelService}). {@link ToldNotice} is what is told, {@link NoticeMail} its text. {@link MailChoicePages} is where people choose,
 * and {@link UnsubscribePages} where a mail's own link ends it ({@link UnsubscribeLink} is signed).
 *
 * <p>It must not know {@code inbox}; what is confirmed is {@code regression}'s to say.
 */
@NullMarked
package dev.loomboard.outbox;

import org.jspecify.annotations.NullMarked;
