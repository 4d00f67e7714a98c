package dev.loomboard.signup;

import static dev.loomboard.kit.Browser.document;
import static dev.loomboard.kit.Browser.location;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.credential.AccountStore;
import dev.loomboard.credential.AskingThrottle;
import dev.loomboard.credential.NewAccount;
import dev.loomboard.credential.PasswordService;
import dev.loomboard.credential.People;
import dev.loomboard.credential.SignInProvider;
import dev.loomboard.credential.SignInThrottle;
import dev.loomboard.credential.SignUpMode;
import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kernel.StartupRefusal;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.kit.Browser;
import dev.loomboard.kit.MailServer;
import dev.loomboard.kit.WebTest;
import dev.loomboard.mail.MailService;
import dev.loomboard.mail.NoMail;
import dev.loomboard.membership.InvitationService;
import dev.loomboard.membership.NewInvitation;
import dev.loomboard.session.Visitor;
import dev.loomboard.signin.EntryService;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.PublicUrl;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.transaction.reactive.TransactionalOperator;

/** The shared service has open sign-up and mail; services of other settings are made here. */
final class SignUpPagesTest extends WebTest {

    private static final Visitor VISITOR = new Visitor("203.0.113.40", "Firefox on Linux", Map.of());

    private final MailServer mails = MailServer.shared();
    private final String email = People.email();
    private final Browser browser = new Browser(client, "203.0.113.30");

    @Test
    void person_proves_the_address_and_is_in() {
        assertThat(location(ask(browser, email, "/sign-up?next=/machines"))).isEqualTo("/sign-up?asked=true");
        assertThat(browser.get("/sign-up?asked=true").text()).contains("A mail is on its way");
        assertThat(accounts(email)).as("none before the address is proven").isZero();
        assertThat(browser.signIn(email, People.PASSWORD).getStatus().value()).isEqualTo(422);

        String link = MailServer.link(mails.awaited(email, 1));
        EntityExchangeResult<byte[]> wrong = browser.send(link, link, Map.of("password", "not the one I chose"));
        assertThat(wrong.getStatus().value()).isEqualTo(422);
        assertThat(document(wrong).select("#password-problem").text()).contains("is not the one");
        assertThat(accounts(email)).isZero();

        assertThat(location(browser.send(link, link, Map.of("password", People.PASSWORD))))
                .isEqualTo("/machines");
        Document account = browser.get("/account");
        assertThat(account.text())
                .contains(email, "You belong to no workspace yet")
                .doesNotContain("not verified");
        assertThat(browser.status(link)).as("used").isEqualTo(404);
        assertThat(number("select count(*) from audit_event e join account a on a.external_id = e.actor"
                        + " where e.action = 'account.sign-up' and a.email = '" + email + "'"))
                .isEqualTo(1);
        assertThat(number("select count(*) from sign_up where email = '" + email + "'"))
                .isZero();
    }

    @Test
    void address_that_has_an_account_gets_the_same_answer_and_another_mail() {
        String known = People.person();
        EntityExchangeResult<byte[]> there = ask(browser, known, "/sign-up");
        EntityExchangeResult<byte[]> free = ask(browser, email, "/sign-up");
        assertThat(location(there)).isEqualTo(location(free));
        assertThat(there.getResponseBody()).isEqualTo(free.getResponseBody());
        assertThat(there.getResponseCookies()).isEqualTo(free.getResponseCookies());
        assertThat(mails.awaited(known, 1))
                .contains("has one already", "/reset-password")
                .doesNotContain("/sign-up/");
        assertThat(accounts(known)).isEqualTo(1);
    }

    @Test
    void link_ends_after_a_day() {
        ask(browser, email, "/sign-up");
        String link = MailServer.link(mails.awaited(email, 1));
        assertThat(number("select count(*) from sign_up where email = '" + email
                        + "' and expires_at = created_at + interval '24 hours'"))
                .isEqualTo(1);
        execute("update sign_up set expires_at = now() - interval '1 second' where email = '" + email + "'");
        assertThat(browser.status(link)).isEqualTo(404);
    }

    @Test
    void what_is_typed_wrong_is_said_beside_its_field() {
        EntityExchangeResult<byte[]> refused =
                browser.send("/sign-up", "/sign-up", Map.of("email", "a@b.c, d@e.f", "name", " ", "password", "short"));
        assertThat(refused.getStatus().value()).isEqualTo(422);
        Document page = document(refused);
        assertThat(page.select("#email-problem").text()).contains("must be an address");
        assertThat(page.select("#name-problem").text()).contains("must have 1 to 80");
        assertThat(page.select("#password-problem").text()).contains("must have 12 to 200");
        assertThat(page.select("#email").attr("value")).isEqualTo("a@b.c, d@e.f");
        assertThat(page.select("#password").attr("value")).isEmpty();
    }

    @Test
    void one_address_asks_for_few_accounts_and_one_person_gets_few_mails() {
        Browser one = new Browser(client, "203.0.113.31");
        for (int i = 0; i < AskingThrottle.PER_ADDRESS; i++) {
            assertThat(ask(one, email, "/sign-up").getStatus().value()).isEqualTo(303);
        }
        assertThat(ask(one, People.email(), "/sign-up").getStatus().value()).isEqualTo(429);
        String last = People.email();
        ask(browser, last, "/sign-up"); // mails are sent one after the other
        mails.awaited(last, 1);
        assertThat(mails.to(email)).hasSize(AskingThrottle.PER_EMAIL);
    }

    @Test
    void invitation_says_how_to_get_one_and_closed_that_there_is_none() {
        assertThat(page(service(SignUpMode.INVITATION, true))).contains("by invitation", "Ask an owner");
        assertThat(page(service(SignUpMode.CLOSED, true))).contains("accepts no new accounts");
        for (SignUpMode mode : new SignUpMode[] {SignUpMode.INVITATION, SignUpMode.CLOSED}) {
            assertThat(await(service(mode, true).ask(account(), "/", VISITOR)))
                    .isEqualTo(SignUpService.Answer.NOT_OPEN);
        }
        assertThat(number("select count(*) from sign_up where email = '" + email + "'"))
                .isZero();
        assertThatThrownBy(() -> SignUpMode.of("opne"))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("LOOMBOARD_SIGN_UP is opne");
    }

    @Test
    void without_mail_the_account_is_there_at_once_and_says_that_nobody_proved_its_address() {
        SignUpService open = service(SignUpMode.OPEN, false);
        assertThat(await(open.ask(account(), "/", VISITOR))).isEqualTo(SignUpService.Answer.ASKED);
        NewAccount again = new NewAccount(email, "Mallory", "another long password");
        assertThat(await(open.ask(again, "/", VISITOR))).as("the same answer").isEqualTo(SignUpService.Answer.ASKED);
        assertThat(location(browser.signIn(email, People.PASSWORD))).isEqualTo("/");
        assertThat(browser.get("/account").text()).contains("Ann", "address not verified");
    }

    @Test
    void invitation_that_works_opens_sign_up_and_another_does_not() {
        SignUpService byInvitation = service(SignUpMode.INVITATION, false);
        String invitation = PeopleUrls.invitation(invitation().value());
        assertThat(await(service(SignUpMode.CLOSED, false).ask(account(), invitation, VISITOR)))
                .isEqualTo(SignUpService.Answer.NOT_OPEN);
        assertThat(await(byInvitation.ask(
                        account(), PeopleUrls.invitation(Secret.random("lbi").value()), VISITOR)))
                .isEqualTo(SignUpService.Answer.NOT_OPEN);
        assertThat(accounts(email)).isZero();
        assertThat(await(byInvitation.ask(account(), invitation, VISITOR))).isEqualTo(SignUpService.Answer.ASKED);
        assertThat(accounts(email)).isEqualTo(1);
    }

    /** Of an owner of the default workspace. */
    private Secret invitation() {
        String owner = People.email();
        await(service(SignUpMode.OPEN, false).ask(new NewAccount(owner, "Olga", People.PASSWORD), "/", VISITOR));
        execute(
                "insert into workspace_member (workspace_id, account_id, role) select w.workspace_id, a.account_id, 'owner'"
                        + " from workspace w, account a where w.slug = 'main' and a.email = '" + owner + "'");
        WorkspaceId main = new WorkspaceId(number("select workspace_id from workspace where slug = 'main'"));
        AccountId account = new AccountId(number("select account_id from account where email = '" + owner + "'"));
        Caller.Person olga = new Caller.Person(account, "acc_olga", "Olga", false, Map.of(main, Role.OWNER));
        return await(service.bean(InvitationService.class)
                .create(main, new NewInvitation(Role.VIEWER, Duration.ofDays(1), 1), olga));
    }

    private NewAccount account() {
        return new NewAccount(email, "Ann", People.PASSWORD);
    }

    private static EntityExchangeResult<byte[]> ask(Browser browser, String email, String formAt) {
        return browser.send("/sign-up", formAt, Map.of("email", email, "name", "Ann", "password", People.PASSWORD));
    }

    private String page(SignUpService signUp) {
        PageContext shell = new PageContext(new Caller.Anonymous(), "/sign-up", "", false, () -> "token");
        byte[] body = await(new SignUpPages(signUp, SignInProvider.NONE, service.bean(PageRenderer.class))
                        .form(shell, "", false))
                .getBody();
        Document page = Jsoup.parse(new String(Objects.requireNonNull(body), StandardCharsets.UTF_8));
        assertThat(page.select("main form")).isEmpty();
        return page.text();
    }

    private SignUpService service(SignUpMode mode, boolean mailed) {
        return new SignUpService(
                mode,
                service.bean(AccountStore.class),
                service.bean(InvitationService.class),
                service.bean(SignUpStore.class),
                service.bean(PasswordService.class),
                service.bean(EntryService.class),
                mailed ? service.bean(MailService.class) : NoMail.service(),
                service.bean(PublicUrl.class),
                new AskingThrottle(Ticker.systemTicker(), SignInThrottle.WINDOW),
                service.bean(SignInThrottle.class),
                service.bean(AuditStore.class),
                service.bean(TransactionalOperator.class),
                service.bean(Clock.class));
    }

    private long accounts(String email) {
        return number("select count(*) from account where email = '" + email + "'");
    }
}
