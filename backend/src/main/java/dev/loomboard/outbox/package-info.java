/**
 * Tells people what was confirmed: notices become messages, one for each person, which a job sends.
 *
 * <p>{@link OutboxService} closes notices that have gathered and sends what is due; {@link OutboxStore} holds the rows, of which a replica
 * takes some for a while, and a {@link ChannelService} how they go out ({@link MailChannelService}, whose rows {@link MailWriteStore} writes). {@link ToldBuild} and {@link
 * ToldAlarm} are what is told, as far as it stands ({@link ToldCellSql}); {@link NoticeMail}, {@link SummaryMail} and {@link IssueText} are its texts. {@link MailTimes} says when a mail may come.
 * {@link MailChoicePages} is where people choose, and {@link UnsubscribePages} where a mail's own link ends it ({@link UnsubscribeLink} is signed).
 *
 * <p>It must not know {@code inbox}; what is confirmed is {@code regression}'s to say.
 */
@NullMarked
package dev.loomboard.outbox;

import org.jspecify.annotations.NullMarked;
