package dev.loomboard.outbox;

/**
 * A person as a mail of a workspace needs one.
 *
 * @param email the address, proven
 * @param unsubscribe what the link stands for that ends such mails
 * @param workspaceName of the workspace
 * @param times when such mails may be sent
 */
record Addressee(String email, UnsubscribeLink unsubscribe, String workspace, String workspaceName, MailTimes times) {}
