package dev.loomboard.workspace;

import static dev.loomboard.kit.Forms.location;
import static dev.loomboard.kit.Forms.send;
import static dev.loomboard.kit.Forms.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.People;
import dev.loomboard.kit.WebTest;
import dev.loomboard.membership.InvitationService;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

/** How people come into a workspace, what they are in it, and how they go. */
final class MemberPagesTest extends WebTest {

    private final People people = new People(database);
    private final InvitationService invitations = service.bean(InvitationService.class);
    private final String slug = "ws-" + ExternalId.random("wsp").value().substring(4, 12);
    private final String members = "/w/" + slug + "/members";
    private final People.Somebody ada = people.add("Ada");
    private final People.Somebody bob = people.add("Bob");
    private final WebTestClient owner = browser(ada.session());
    private final WebTestClient guest = browser(bob.session());

    @BeforeEach
    void makeWorkspace() {
        send(owner, "/workspaces", Map.of("name", "Lab", "slug", slug, "visibility", "private"));
    }

    @Test
    void link_lets_one_person_in_by_a_click_and_then_no_other() {
        String link = invite("viewer", "1");
        assertThat(page(owner, members).html()).doesNotContain(link);
        Document anonymous = page(client, link);
        assertThat(anonymous.select("main").text()).contains("You are invited to Lab", "viewer");
        assertThat(anonymous.select("main a[href^=/sign-in]").attr("href"))
                .as("and back here")
                .contains("next=" + link.replace("/", "%2F"));
        guest.get().uri("/w/" + slug).exchange().expectStatus().isNotFound();

        assertThat(page(guest, link).select("main form").attr("action")).isEqualTo(link);
        assertThat(await(invitations.valid(link.substring("/invitations/".length())))
                        .role()
                        .wire())
                .isEqualTo("viewer");
        assertThat(location(send(guest, link, Map.of()))).isEqualTo("/w/" + slug);
        page(guest, "/w/" + slug);
        assertThat(row(page(owner, members), bob).text()).contains("Bob");
        browser(people.add("Eve").session())
                .post()
                .uri(link)
                .exchange()
                .expectStatus()
                .isNotFound();
        client.get().uri(link).exchange().expectStatus().isNotFound();
        assertThat(page(owner, members).text()).contains("used up", "1 of 1");
        guest.get().uri("/w/" + slug + "/settings").exchange().expectStatus().isForbidden();
        assertThat(number("select count(*) from audit_event where action like 'invitation.%' and workspace_id ="
                        + " (select workspace_id from workspace where slug = '" + slug + "')"))
                .isEqualTo(2);
    }

    @Test
    void link_ends_when_it_is_revoked_or_expired_or_its_maker_is_no_owner() {
        String revoked = invite("member", "5");
        String form = page(owner, members).select("form[action$=/revoke]").attr("action");
        as(Role.STRANGER).post().uri(form).exchange().expectStatus().isNotFound();
        send(owner, form, Map.of());
        assertThat(status(guest, revoked, Map.of())).isEqualTo(404);

        String expired = invite("member", "5");
        execute(
                "update invitation set expires_at = now() - interval '1 minute' where revoked_at is null and workspace_id ="
                        + " (select workspace_id from workspace where slug = '" + slug + "')");
        assertThat(status(guest, expired, Map.of())).isEqualTo(404);

        String orphaned = invite("owner", "5");
        execute("update workspace_member set role = 'member' where account_id = (select account_id from account"
                + " where external_id = '" + ada.id() + "')");
        assertThat(status(guest, orphaned, Map.of())).isEqualTo(404);
        assertThat(isEmpty(invitations.valid(Secret.random("lbi").value()))).isTrue();
        assertThat(isEmpty(invitations.valid("nonsense"))).isTrue();
    }

    @Test
    void who_belongs_already_stays_what_they_are_and_uses_nothing_up() {
        String link = invite("viewer", "1");
        assertThat(location(send(owner, link, Map.of()))).isEqualTo("/w/" + slug);
        assertThat(row(page(owner, members), ada).select("option[selected]").val())
                .isEqualTo("owner");
        assertThat(page(guest, link).select("main form")).hasSize(1);
    }

    @Test
    void last_owner_cannot_leave_or_be_demoted_until_another_is_one() {
        send(guest, invite("member", "1"), Map.of());
        String own = members + "/" + ada.id();
        assertThat(status(owner, own + "/role", Map.of("role", "member"))).isEqualTo(409);
        assertThat(status(owner, own + "/remove", Map.of())).isEqualTo(409);
        assertThat(status(owner, "/w/" + slug + "/leave", Map.of())).isEqualTo(409);
        assertThat(status(owner, own + "/role", Map.of("role", "king"))).isEqualTo(422);
        assertThat(status(guest, members + "/" + bob.id() + "/role", Map.of("role", "owner")))
                .as("a member promotes nobody")
                .isEqualTo(403);

        assertThat(status(owner, members + "/" + bob.id() + "/role", Map.of("role", "owner")))
                .isEqualTo(303);
        assertThat(status(owner, "/w/" + slug + "/leave", Map.of())).isEqualTo(303);
        owner.get().uri("/w/" + slug).exchange().expectStatus().isNotFound();
        assertThat(page(guest, members).select("[aria-label=Members]").text()).doesNotContain("Ada");
        assertThat(number("select count(*) from audit_event where action in ('member.role', 'member.leave')"
                        + " and subject in ('" + ada.id() + "', '" + bob.id() + "')"))
                .isEqualTo(2);
    }

    @Test
    void what_is_typed_wrong_makes_no_link() {
        for (Map<String, String> wrong : java.util.List.of(
                Map.of("role", "king", "days", "7", "uses", "1"),
                Map.of("role", "member", "days", "8", "uses", "1"),
                Map.of("role", "member", "days", "7", "uses", "0"),
                Map.of("role", "member", "days", "7", "uses", "101"),
                Map.of("role", "member", "days", "7", "uses", "-1"))) {
            EntityExchangeResult<byte[]> refused = send(owner, "/w/" + slug + "/invitations", wrong);
            assertThat(refused.getStatus().value()).as("%s", wrong).isEqualTo(422);
            assertThat(document(refused).select("p.error")).as("%s", wrong).hasSize(1);
        }
        assertThat(number("select count(*) from invitation join workspace using (workspace_id) where slug = '" + slug
                        + "'"))
                .isZero();
    }

    /** The path of the link. */
    private String invite(String role, String uses) {
        EntityExchangeResult<byte[]> made =
                send(owner, "/w/" + slug + "/invitations", Map.of("role", role, "days", "7", "uses", uses));
        assertThat(made.getStatus().value()).isEqualTo(201);
        assertThat(made.getResponseHeaders().getCacheControl()).isEqualTo("no-store");
        String link = URI.create(document(made).select("pre code").text()).getPath();
        String token = link.substring("/invitations/".length());
        assertThat(Secret.isOf("lbi", token)).isTrue();
        return link;
    }

    private static Element row(Document page, People.Somebody of) {
        return Objects.requireNonNull(
                page.select("tbody tr:contains(" + of.id() + ")").first(), "no row of " + of.id());
    }
}
