package dev.loomboard.outbox;

import dev.loomboard.notice.NoticeKind;

/** What a notice tells, as mails, webhooks and issues say it. */
public sealed interface Told permits ToldBuild, ToldAlarm {

    NoticeKind kind();

    /** One line: what an issue and a mail are called. */
    String title();

    /** False: nothing of it stands any more, so nobody is told. */
    boolean stands();

    /** Of the page with all that is known of it. */
    String path();
}
