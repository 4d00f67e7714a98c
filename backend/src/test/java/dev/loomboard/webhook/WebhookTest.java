package dev.loomboard.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.Forms;
import dev.loomboard.kit.People;
import dev.loomboard.kit.SuspectRows;
import dev.loomboard.kit.WebTest;
import dev.loomboard.outbox.OutboxService;
import dev.loomboard.regression.RerunService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.util.LinkedMultiValueMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** From a rerun's end to another service, over HTTP, and what owners do on the page. */
final class WebhookTest extends WebTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String PAGE = "/w/main/webhooks";
    private static final Pattern EXAMPLE = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);

    private final Receiver receiver = new Receiver();
    private final WebTestClient owner = browser(cast.ownerSession());
    private final OutboxService outbox = service.bean(OutboxService.class);
    private final JsonMapper json = service.bean(JsonMapper.class);

    WebhookTest() throws IOException {}

    @AfterEach
    void removeAll() {
        receiver.close();
        execute("update webhook set removed_at = now() where removed_at is null");
    }

    @Test
    void confirmed_changes_are_one_signed_message_and_none_is_sent_of_what_was_not_chosen() throws Exception {
        String secret = add("json", "slower");
        SuspectRows rows = told(1, 1.2);
        told(1.2, 1);
        send();
        assertThat(receiver.calls).hasSize(1);
        Receiver.Call call = receiver.calls.getFirst();
        assertThat(call.header("webhook-id")).startsWith("msg_");
        assertThat(call.header("webhook-signature")).isEqualTo("v1," + signature(secret, call));
        JsonNode sent = json.readTree(call.body());
        assertThat(sent.at("/type").asString()).isEqualTo("confirmed");
        assertThat(sent.at("/data/kind").asString()).isEqualTo("slower");
        assertThat(sent.at("/data/build/slug").asString()).isEqualTo(rows.young);
        assertThat(sent.at("/data/changes/0/found").asString())
                .startsWith("slower, +20")
                .contains("95 % interval");
        assertThat(sent.at("/data/changes/0/effect").asDouble()).isBetween(1.15, 1.25);
        assertThat(page(owner, PAGE).select("#messages").text()).contains("sent 2");
    }

    @Test
    void message_has_the_fields_that_its_document_shows() throws Exception {
        add("json", "slower");
        told(1, 1.2);
        send();
        Matcher example = EXAMPLE.matcher(Files.readString(Path.of("api/webhooks.md")));
        assertThat(example.find()).isTrue();
        assertThat(fields(json.readTree(receiver.calls.getFirst().body())))
                .isEqualTo(fields(json.readTree(example.group(1))));
        assertThat(example.find()).isTrue();
        assertThat(fields(json.readTree(json.writeValueAsBytes(WebhookBody.of(AlarmBodyTest.NOTICE, "")))))
                .isEqualTo(fields(json.readTree(example.group(1))));
    }

    @Test
    void message_that_was_accepted_and_not_marked_comes_again_with_its_id_and_body() throws Exception {
        add("json", "slower");
        told(1, 1.2);
        send();
        execute("update outbox set state = 'sending', sent_at = null, lease_until = now() - interval '1 second'"
                + " where channel = 'webhook' and message_id = '"
                + receiver.calls.getFirst().header("webhook-id") + "'");
        send();
        assertThat(receiver.calls).hasSize(2);
        assertThat(receiver.calls.getLast().header("webhook-id"))
                .isEqualTo(receiver.calls.getFirst().header("webhook-id"));
        assertThat(receiver.calls.getLast().text())
                .isEqualTo(receiver.calls.getFirst().text());
        assertThat(page(owner, PAGE).select("#messages").text()).contains("sent again 1 time");
    }

    @Test
    void receiver_that_refuses_is_tried_again_and_a_message_that_was_given_up_is_sent_again_by_hand() throws Exception {
        add("json", "slower");
        told(1, 1.2);
        receiver.answer(500);
        send();
        send();
        assertThat(receiver.calls).as("not again before a minute").hasSize(1);
        assertThat(page(owner, PAGE).select("#messages").text())
                .contains("failed after 1 attempt", "answered with 500");
        receiver.answer(410);
        execute("update outbox set next_try_at = now() where channel = 'webhook' and state = 'failed'");
        send();
        Document given = page(owner, PAGE);
        assertThat(given.select("#messages").text()).contains("given up after 2 attempts", "answered with 410");
        String again = given.select("#messages form").attr("action");
        receiver.answer(200);
        assertThat(Forms.status(browser(cast.memberSession()), again, Map.of())).isEqualTo(403);
        assertThat(Forms.status(owner, again, Map.of())).isEqualTo(303);
        send();
        assertThat(receiver.calls).hasSize(3);
        assertThat(page(owner, PAGE).select("#messages").text()).contains("sent 2");
        assertThat(Forms.status(owner, again, Map.of())).as("it was sent").isEqualTo(404);
    }

    @Test
    void redirect_is_no_acceptance_and_is_not_followed() throws Exception {
        add("json", "slower");
        told(1, 1.2);
        receiver.answer(302);
        send();
        assertThat(receiver.calls).extracting(Receiver.Call::path).containsExactly("/hook");
        assertThat(page(owner, PAGE).select("#messages").text()).contains("answered with 302");
    }

    @Test
    void slack_gets_one_text_without_the_mark_up_of_others() throws Exception {
        add("slack", "slower");
        SuspectRows rows = new SuspectRows(service, "public");
        execute("update machine set name = '<!channel> & co' where external_id = '" + rows.machine + "'");
        told(rows, 1, 1.2);
        send();
        JsonNode sent = json.readTree(receiver.calls.getFirst().body());
        assertThat(sent.propertyNames()).containsExactly("text");
        assertThat(sent.at("/text").asString())
                .contains("*25.0.2+9 temurin is slower than 25.0.1+9 temurin*: 1 change", "&lt;!channel&gt; &amp; co")
                .doesNotContain("<!channel>");
    }

    @Test
    void what_opens_issues_gets_title_and_markdown_of_which_names_are_code() throws Exception {
        add("github-issue", "slower");
        SuspectRows rows = new SuspectRows(service, "public");
        execute("update machine set name = '@octocat' where external_id = '" + rows.machine + "'");
        told(rows, 1, 1.2);
        send();
        JsonNode sent = json.readTree(receiver.calls.getFirst().body());
        assertThat(sent.propertyNames()).containsExactly("title", "body");
        assertThat(sent.at("/title").asString())
                .isEqualTo("25.0.2+9 temurin is slower than 25.0.1+9 temurin: 1 change");
        assertThat(sent.at("/body").asString()).contains("`@octocat`", "- How sure: confirmed by a rerun");
        Forms.send(owner, page(owner, PAGE).select("form[action$=/test]").attr("action"), Map.of());
        send();
        assertThat(json.readTree(receiver.calls.getLast().body()).at("/title").asString())
                .isEqualTo("Test message");
    }

    @Test
    void test_message_goes_the_way_of_all_and_nothing_goes_to_a_webhook_that_was_removed() throws Exception {
        add("json", "slower");
        Document page = page(owner, PAGE);
        assertThat(Forms.status(owner, page.select("form[action$=/test]").attr("action"), Map.of()))
                .isEqualTo(303);
        send();
        assertThat(json.readTree(receiver.calls.getFirst().body()).at("/type").asString())
                .isEqualTo("test");
        told(1, 1.2);
        assertThat(Forms.status(owner, page.select("form[action$=/remove]").attr("action"), Map.of()))
                .isEqualTo(303);
        send();
        assertThat(receiver.calls).hasSize(1);
        assertThat(page(owner, PAGE).text()).contains("No webhook yet");
    }

    @Test
    void secret_is_shown_once_and_a_workspace_has_ten_at_most() throws Exception {
        String secret = add("json", "slower");
        assertThat(page(owner, PAGE).html()).doesNotContain(secret).doesNotContain("/hook");
        for (int i = 1; i < WebhookService.MOST; i++) {
            add("json", "slower");
        }
        assertThat(adding(owner, receiver.url(), "json", "slower").getStatus().value())
                .isEqualTo(409);
        assertThat(number("select count(*) from webhook where removed_at is null"))
                .isEqualTo(WebhookService.MOST);
    }

    @Test
    void webhooks_are_the_owners_alone_and_what_is_wrong_is_said_beside_its_field() throws Exception {
        add("json", "slower");
        String remove = page(owner, PAGE).select("form[action$=/remove]").attr("action");
        Secret stranger = new People(database).add("Stranger").session();
        for (WebTestClient other : List.of(browser(cast.memberSession()), browser(stranger))) {
            assertThat(adding(other, receiver.url(), "json", "slower")
                            .getStatus()
                            .value())
                    .isEqualTo(403);
            assertThat(Forms.status(other, remove, Map.of())).isEqualTo(403);
        }
        assertThat(Forms.status(browser(cast.strangerSession()), remove.replace("/w/main/", "/w/elsewhere/"), Map.of()))
                .as("the owner of another workspace")
                .isEqualTo(404);
        EntityExchangeResult<byte[]> wrong = adding(owner, "ftp://example.org/", "json", "slower");
        assertThat(wrong.getStatus().value()).isEqualTo(422);
        assertThat(document(wrong).select("#url-problem").text()).contains("https://");
    }

    /** Gives its secret. */
    private String add(String body, String kind) {
        EntityExchangeResult<byte[]> added = adding(owner, receiver.url(), body, kind);
        assertThat(added.getStatus().value()).isEqualTo(201);
        return document(added).select("pre code").text();
    }

    private static EntityExchangeResult<byte[]> adding(WebTestClient as, String url, String body, String kind) {
        LinkedMultiValueMap<String, String> form = new LinkedMultiValueMap<>();
        form.add("name", "Chat");
        form.add("url", url);
        form.add("body", body);
        form.add("kind", kind);
        return as.post()
                .uri(PAGE)
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .bodyValue(form)
                .exchange()
                .expectBody()
                .returnResult();
    }

    private SuspectRows told(double before, double after) {
        return told(new SuspectRows(service, "public"), before, after);
    }

    /** One cell changes so; that is confirmed, and hours pass. */
    private SuspectRows told(SuspectRows rows, double before, double after) {
        RerunService reruns = service.bean(RerunService.class);
        String suspect = rows.suspect("plain", "cpu_us_per_request", rows.good, before, after);
        reruns.followUp().block(TIMEOUT);
        rows.measured(Objects.requireNonNull(rows.rerun(suspect)), after / before);
        reruns.decide().block(TIMEOUT);
        rows.run("""
                update notice set first_at = now() - interval '4 hours'
                 where jdk_build_id = (select jdk_build_id from jdk_build where slug = :build)
                """, Map.of("build", rows.young));
        complete(outbox.tell());
        return rows;
    }

    private void send() {
        complete(outbox.send(Duration.ofMinutes(1)));
    }

    private static String signature(String secret, Receiver.Call call) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
        String signed = call.header("webhook-id") + "." + call.header("webhook-timestamp") + "." + call.text();
        return Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
    }

    /** Names with their paths, of a list those of its first. */
    private static TreeSet<String> fields(JsonNode node) {
        TreeSet<String> all = new TreeSet<>();
        node.properties().forEach(field -> {
            all.add(field.getKey());
            JsonNode value = field.getValue().isArray() ? field.getValue().path(0) : field.getValue();
            fields(value).forEach(inner -> all.add(field.getKey() + "." + inner));
        });
        return all;
    }
}
