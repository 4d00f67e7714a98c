package dev.loomboard.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Forms;
import dev.loomboard.kit.MailServer;
import dev.loomboard.kit.WebTest;
import dev.loomboard.outbox.Recipients.Recipient;
import jakarta.mail.internet.MimeMessage;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Choosing mails, asking for one, and ending them by the link in it. */
final class MailChoicePagesTest extends WebTest {

    private static final String MAIN = "#mails-main ";

    private final Recipients recipients = new Recipients(service);
    private final Recipient ann = recipients.add("member");
    private final WebTestClient browser = browser(ann.session());

    @AfterEach
    void leave() {
        recipients.leave(ann);
    }

    @Test
    void members_start_with_all_but_what_became_better_and_viewers_with_nothing() {
        assertThat(chosen()).containsExactly("slower", "fails-more", "night-missed", "machine-away");
        Recipient viewer = recipients.add("viewer");
        assertThat(page(browser(viewer.session()), "/account/mails").select("input[name=kind][checked]"))
                .isEmpty();
        recipients.leave(viewer);
        assertThat(page(browser, "/account").select("a[href=/account/mails]")).isNotEmpty();
    }

    @Test
    void choice_is_the_persons_own_of_a_workspace_that_the_person_belongs_to() {
        assertThat(Forms.location(Forms.send(browser, "/account/mails", Map.of("workspace", "main", "kind", "faster"))))
                .isEqualTo("/account/mails");
        assertThat(chosen()).containsExactly("faster");
        assertThat(Forms.status(browser, "/account/mails", Map.of("workspace", "main")))
                .isEqualTo(303);
        assertThat(chosen()).isEmpty();
        assertThat(Forms.status(browser, "/account/mails", Map.of("workspace", "elsewhere", "kind", "slower")))
                .isEqualTo(404);
        assertThat(Forms.status(browser, "/account/mails/test", Map.of("workspace", "elsewhere")))
                .isEqualTo(404);
    }

    @Test
    void times_are_kept_and_what_is_wrong_with_them_is_said_beside_them() {
        Map<String, String> night = Map.of(
                "workspace",
                "main",
                "kind",
                "slower",
                "when",
                "summary",
                "summary-at",
                "08:30",
                "quiet-from",
                "22:00",
                "quiet-to",
                "07:00",
                "zone",
                "Europe/Berlin");
        assertThat(Forms.status(browser, "/account/mails", night)).isEqualTo(303);
        Document page = page(browser, "/account/mails");
        assertThat(page.select(MAIN + "input[name=when][checked]").val()).isEqualTo("summary");
        assertThat(typed(page)).containsExactly("08:30", "22:00", "07:00", "Europe/Berlin");

        Map<String, String> wrong = new HashMap<>(night);
        wrong.putAll(Map.of("summary-at", "25:00", "quiet-to", "22:00", "zone", "Berlin"));
        EntityExchangeResult<byte[]> refused = Forms.send(browser, "/account/mails", wrong);
        assertThat(refused.getStatus().value()).isEqualTo(422);
        Document again = document(refused);
        assertThat(again.select(MAIN + "#summary-at-problem").text()).contains("must be a time such as 08:00");
        assertThat(again.select(MAIN + "#quiet-problem").text()).contains("must end at another time");
        assertThat(again.select(MAIN + "#zone-problem").text()).contains("did you mean Europe/Berlin");
        assertThat(typed(again)).as("as it was typed").containsExactly("25:00", "22:00", "22:00", "Berlin");
        wrong.putAll(Map.of("when", "at-once", "quiet-to", "", "zone", "UTC"));
        assertThat(document(Forms.send(browser, "/account/mails", wrong))
                        .select(MAIN + "#quiet-problem")
                        .text())
                .contains("must have two times");
        assertThat(typed(page(browser, "/account/mails")))
                .as("nothing was saved")
                .containsExactly("08:30", "22:00", "07:00", "Europe/Berlin");
    }

    private static List<String> typed(Document page) {
        return page.select(MAIN + "input[type=time], " + MAIN + "input[name=zone]")
                .eachAttr("value");
    }

    @Test
    void test_mail_goes_the_way_of_all_mails_and_is_not_sent_to_an_address_that_nobody_proved() {
        assertThat(Forms.status(browser, "/account/mails/test", Map.of("workspace", "main")))
                .isEqualTo(303);
        assertThat(page(browser, "/account/mails").select("#sent").text()).contains("Test mail", "waiting");
        complete(service.bean(OutboxService.class).send(Duration.ofMinutes(1)));
        assertThat(MailServer.shared().awaited(ann.email(), 1))
                .contains("the test mail that you asked for", "/account/mails");
        assertThat(page(browser, "/account/mails").select("#sent").text()).contains("Test mail", "sent 2");
        for (int i = 0; i < 2; i++) {
            assertThat(Forms.status(browser, "/account/mails/test", Map.of("workspace", "main")))
                    .isEqualTo(303);
        }
        assertThat(Forms.status(browser, "/account/mails/test", Map.of("workspace", "main")))
                .as("the fourth within an hour")
                .isEqualTo(409);
        recipients.run("update account set email_verified_at = null where external_id = :id", Map.of("id", ann.id()));
        assertThat(document(Forms.send(browser, "/account/mails/test", Map.of("workspace", "main")))
                        .text())
                .contains("not proven yet");
    }

    @Test
    void link_of_a_mail_ends_mails_by_one_post_of_a_program_that_has_no_session() throws Exception {
        String path = unsubscribe();
        Document asks = page(client, path);
        assertThat(asks.text()).contains("Main");
        assertThat(asks.select("form[method=post]").attr("action")).isEqualTo(path);
        assertThat(chosen())
                .as("programs follow links that people do not")
                .containsExactly("slower", "fails-more", "night-missed", "machine-away");
        client.post()
                .uri(path)
                .header("Sec-Fetch-Site", "cross-site")
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .bodyValue("List-Unsubscribe=One-Click")
                .exchange()
                .expectStatus()
                .isOk();
        assertThat(chosen()).isEmpty();
    }

    @Test
    void link_that_the_service_did_not_sign_ends_nothing() throws Exception {
        Recipient bob = recipients.add("member");
        String anns = unsubscribe();
        String last = anns.substring(anns.length() - 1);
        for (String forged : List.of(
                anns.replace(ann.id(), bob.id()),
                anns.substring(0, anns.length() - 1) + ("a".equals(last) ? "b" : "a"),
                anns.substring(0, anns.lastIndexOf('.')),
                "/unsubscribe/none")) {
            assertThat(Forms.status(client, forged, Map.of())).as(forged).isEqualTo(404);
            client.get().uri(forged).exchange().expectStatus().isNotFound();
        }
        assertThat(chosen()).containsExactly("slower", "fails-more", "night-missed", "machine-away");
        assertThat(page(browser(bob.session()), "/account/mails").select(MAIN + "input[name=kind][checked]"))
                .hasSize(4);
        recipients.leave(bob);
    }

    /** Of a mail that is sent to ann. */
    private String unsubscribe() throws Exception {
        Forms.send(browser, "/account/mails/test", Map.of("workspace", "main"));
        complete(service.bean(OutboxService.class).send(Duration.ofMinutes(1)));
        MailServer.shared().awaited(ann.email(), 1);
        MimeMessage mail = MailServer.shared().to(ann.email()).getFirst();
        assertThat(mail.getHeader("List-Unsubscribe-Post")).containsExactly("List-Unsubscribe=One-Click");
        String link = mail.getHeader("List-Unsubscribe", null);
        return URI.create(link.replaceAll("[<>\\s]", "")).getPath();
    }

    private List<String> chosen() {
        return page(browser, "/account/mails")
                .select(MAIN + "input[name=kind][checked]")
                .eachAttr("value");
    }
}
