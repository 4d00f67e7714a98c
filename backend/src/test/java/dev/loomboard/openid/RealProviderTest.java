package dev.loomboard.openid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.database.DatabaseUrl;
import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.kit.OneAtATime;
import dev.loomboard.kit.RealProvider;
import dev.loomboard.kit.Service;
import dev.loomboard.kit.TestDatabases;
import dev.loomboard.membership.InvitationService;
import dev.loomboard.membership.NewInvitation;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.PublicUrl;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.r2dbc.core.DatabaseClient;

/** A service that lets in whom somebody invited, and Spring's authorization server, by HTTP from end to end. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@OneAtATime
final class RealProviderTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String PASSWORD = "correct horse battery";

    private final RealProvider provider = RealProvider.start();
    private final DatabaseUrl database = TestDatabases.fresh();
    private ConfigurableApplicationContext service;
    private String url;

    @BeforeAll
    void start() {
        service = Service.start(
                database,
                "--loomboard.openid.issuer=" + provider.issuer(),
                "--loomboard.openid.client-id=" + RealProvider.CLIENT,
                "--loomboard.openid.client-secret=" + RealProvider.SECRET,
                "--loomboard.openid.name=Example");
        url = service.getBean(PublicUrl.class).trusted();
        provider.register(url + PeopleUrls.openIdCallback());
    }

    @AfterAll
    void stop() {
        service.close();
        provider.close();
        TestDatabases.drop(database);
    }

    @Test
    void service_is_no_servlet_application() {
        assertThat(service).isInstanceOf(ReactiveWebServerApplicationContext.class);
    }

    @Test
    void stranger_is_told_how_to_get_an_account() {
        signedIn("mallory", "/sign-in")
                .sees(403, "/sign-in/openid/callback", "by invitation", "link it on your account");
        assertThat(accounts("mallory@example.org")).isZero();
    }

    @Test
    void invited_person_signs_up_signs_in_again_and_deletes_the_account() {
        String invitation = PeopleUrls.invitation(invitation().value());
        Surfer ann = new Surfer().open(url + invitation);
        ann.open(url + PeopleUrls.signUpThen(invitation)).follow("Continue with Example");
        provider.add("ann");
        ann.send("/login", Map.of("username", "ann", "password", RealProvider.PASSWORD));
        ann.sees(200, invitation);
        assertThat(accounts("ann@example.org")).isEqualTo(1);
        ann.open(url + "/account").sees(200, "/account", "Person ann", "ann@example.org", "is linked with Example");
        assertThat(ann.page().text()).doesNotContain("not verified");

        Surfer again = at("ann", url + "/sign-in?next=/machines").sees(200, "/machines");
        again.open(url + "/account").sees(200, "/account", "ann@example.org");

        again.open(url + "/account/delete").follow("Sign in again with Example");
        again.sees(200, "/account/delete", "which is proof enough for now");
        again.send("/account/delete", Map.of()).sees(200, "/sign-in", "Your account is deleted");
        assertThat(accounts("ann@example.org")).isZero();
        at("ann", url + "/sign-in").sees(403, "/sign-in/openid/callback", "You have no account here");
    }

    @Test
    void person_with_a_password_links_the_account_and_unlinks_it() {
        String setup = passwordAccount("bea@example.org");
        provider.add("bea");
        at("bea", url + "/sign-in").sees(403, "/sign-in/openid/callback", "You have no account here");
        Surfer bea = new Surfer().open(url + setup);
        bea.send(setup, Map.of("password", PASSWORD, "repeated", PASSWORD)).sees(200, "/sign-in");
        bea.send("/sign-in", Map.of("email", "bea@example.org", "password", PASSWORD))
                .sees(200, "/");
        bea.open(url + "/account").follow("Link it").sees(200, "/account/openid", "is not linked with Example");
        bea.send("/account/openid", Map.of("password", PASSWORD)).follow("Continue to Example");
        bea.send("/login", Map.of("username", "bea", "password", RealProvider.PASSWORD));
        bea.sees(200, "/account/openid", "Your account is linked.");

        at("bea", url + "/sign-in").sees(200, "/");
        bea.open(url + "/account/openid")
                .send("/unlink", Map.of("password", PASSWORD))
                .sees(200, "/account/openid", "no longer linked");
        at("bea", url + "/sign-in").sees(403, "/sign-in/openid/callback", "You have no account here");
    }

    /** The way of somebody new at the provider, from a page of the service. */
    private Surfer signedIn(String name, String path) {
        provider.add(name);
        return at(name, url + path);
    }

    private static Surfer at(String name, String signIn) {
        return new Surfer()
                .open(signIn)
                .follow("Sign in with Example")
                .send("/login", Map.of("username", name, "password", RealProvider.PASSWORD));
    }

    /** The path of a link to a password for a new account. */
    private String passwordAccount(String email) {
        Secret link = Secret.random("lbl");
        database()
                .sql("""
                        with a as (insert into account (external_id, email, display_name, password_hash)
                                   values (new_external_id('acc'), :email, 'Bea', 'none') returning account_id)
                        insert into account_link (token_hash, account_id, purpose, created_at, expires_at)
                        select :hash, account_id, 'reset-printed', now(), now() + interval '1 hour' from a
                        """)
                .bind("email", email)
                .bind("hash", link.hash())
                .then()
                .block(TIMEOUT);
        return PeopleUrls.resetPassword(link.value());
    }

    private Secret invitation() {
        long owner = number("""
                with a as (insert into account (external_id, email, display_name, password_hash)
                           values (new_external_id('acc'), 'olga@example.org', 'Olga', 'none') returning account_id),
                     m as (insert into workspace_member (workspace_id, account_id, role)
                           select workspace_id, account_id, 'owner' from a, workspace where slug = 'main')
                select account_id from a
                """);
        WorkspaceId main = new WorkspaceId(number("select workspace_id from workspace where slug = 'main'"));
        Caller.Person olga =
                new Caller.Person(new AccountId(owner), "acc_olga", "Olga", false, Map.of(main, Role.OWNER));
        return Objects.requireNonNull(service.getBean(InvitationService.class)
                .create(main, new NewInvitation(Role.VIEWER, Duration.ofDays(1), 1), olga)
                .block(TIMEOUT));
    }

    private long accounts(String email) {
        return number("select count(*) from account where email = '" + email + "'");
    }

    private long number(String sql) {
        return Objects.requireNonNull(
                database().sql(sql).map(row -> row.get(0, Long.class)).one().block(TIMEOUT));
    }

    private DatabaseClient database() {
        return service.getBean(DatabaseClient.class);
    }
}
