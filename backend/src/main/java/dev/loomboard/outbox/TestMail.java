package dev.loomboard.outbox;

import dev.loomboard.mail.Mail;
import dev.loomboard.web.PeopleUrls;

/** What somebody gets who asks whether mails arrive. */
final class TestMail {

    private TestMail() {}

    static Mail of(Addressee to, String site, String unsubscribe) {
        return new Mail(
                to.email(),
                "[" + to.workspace() + "] Test mail",
                """
                This is the test mail that you asked for: mails of the workspace %s reach you.

                You get a mail when something is confirmed of a JDK build that you chose to hear of: one mail for each build, with
                what changed, by how much, how sure that is, and links to the evidence.

                Choose your mails: %s
                No more mails of this workspace: %s
                """.formatted(to.workspaceName(), site + PeopleUrls.mails(), unsubscribe),
                NoticeMail.headers(unsubscribe));
    }
}
