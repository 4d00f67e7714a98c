package dev.loomboard.account;

import static dev.loomboard.kit.Cast.Role.OWNER;
import static dev.loomboard.kit.Cast.Role.STRANGER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.Service;
import dev.loomboard.kit.WebTest;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

final class AccountPagesTest extends WebTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String PASSWORD = "correct horse battery";

    /** Cookies as a browser keeps them. */
    private final Map<String, String> jar = new HashMap<>();

    @Test
    void person_signs_in_changes_the_password_and_signs_out() {
        String email = account();
        assertThat(location(send(
                        "/sign-in",
                        "/sign-in?next=/account",
                        Map.of("email", email.toUpperCase(java.util.Locale.ROOT), "password", PASSWORD))))
                .isEqualTo("/account");
        String first = Objects.requireNonNull(jar.get("lb_session"));
        assertThat(get("/account").text()).contains(email);

        String next = "another long password";
        EntityExchangeResult<byte[]> changed =
                send("/account/password", "/account", Map.of("current", PASSWORD, "password", next, "repeated", next));
        assertThat(location(changed)).isEqualTo("/account?changed=password");
        assertThat(jar.get("lb_session")).as("rotated").isNotEqualTo(first);
        assertThat(statusOf("/account", first)).as("the old session").isEqualTo(303);

        String second = Objects.requireNonNull(jar.get("lb_session"));
        assertThat(location(send("/sign-out", "/account", Map.of()))).isEqualTo("/");
        assertThat(statusOf("/account", second))
                .as("the session after signing out")
                .isEqualTo(303);
        assertThat(send("/sign-in", "/sign-in", Map.of("email", email, "password", PASSWORD))
                        .getStatus()
                        .value())
                .isEqualTo(422);
        assertThat(send("/sign-in", "/sign-in", Map.of("email", email, "password", next))
                        .getStatus()
                        .value())
                .isEqualTo(303);
    }

    @Test
    void session_cookie_is_kept_from_scripts_and_other_sites() {
        String email = account();
        ResponseCookie cookie =
                Objects.requireNonNull(send("/sign-in", "/sign-in", Map.of("email", email, "password", PASSWORD))
                        .getResponseCookies()
                        .getFirst("lb_session"));
        assertThat(cookie.isHttpOnly()).isTrue();
        assertThat(cookie.getSameSite()).isEqualTo("Lax");
        assertThat(cookie.isSecure()).as("over plain http").isFalse();
        Long plain = database.sql("select count(*) from session where encode(token_hash, 'escape') like :text")
                .bind("text", "%" + cookie.getValue() + "%")
                .map(row -> row.get(0, Long.class))
                .one()
                .block(TIMEOUT);
        assertThat(plain).isZero();
    }

    @Test
    void wrong_password_and_unknown_email_get_the_same_answer() {
        String email = account();
        Document wrong = document(send("/sign-in", "/sign-in", Map.of("email", email, "password", "wrong")));
        Document unknown = document(send("/sign-in", "/sign-in", Map.of("email", "no-" + email, "password", "wrong")));
        assertThat(wrong.select("[role=alert]").text()).isEqualTo("Email or password is wrong.");
        assertThat(unknown.select("[role=alert]").text()).isEqualTo("Email or password is wrong.");
        assertThat(wrong.select("input[name=password]").attr("value")).isEmpty();
    }

    @Test
    void failures_of_others_behind_the_proxy_lock_nobody_out() {
        String email = account();
        assertThat(signInFrom("203.0.113.1", email, PASSWORD)).isEqualTo(303); // this browser is known from now on
        Map<String, String> known = Map.copyOf(jar);
        jar.clear();
        for (int client = 1; client <= 45; client++) {
            assertThat(signInFrom("198.51.100." + client, email, "wrong")).isEqualTo(422);
        }
        assertThat(signInFrom("198.51.100.46", email, PASSWORD)).isEqualTo(303);
        jar.clear();

        for (int i = 0; i < SignInThrottle.PER_ACCOUNT_AND_ADDRESS; i++) {
            assertThat(signInFrom("10.0.0." + i + ", 198.51.100.99", email, "wrong"))
                    .isEqualTo(422);
        }
        assertThat(signInFrom("10.1.1.1, 198.51.100.99", email, PASSWORD))
                .as("a forged hop at the left makes no new client")
                .isEqualTo(429);
        jar.putAll(known);
        assertThat(signInFrom("198.51.100.99", email, PASSWORD))
                .as("a browser that has signed in before")
                .isEqualTo(303);
        jar.keySet().removeIf(name -> name.startsWith("lb_device_"));
        assertThat(signInFrom("198.51.100.99", email, PASSWORD))
                .as("the same without its cookie")
                .isEqualTo(429);
    }

    @Test
    void device_cookie_is_kept_from_scripts_and_ends_with_the_password() {
        String email = account();
        Map<String, ResponseCookie> set = send("/sign-in", "/sign-in", Map.of("email", email, "password", PASSWORD))
                .getResponseCookies()
                .toSingleValueMap();
        ResponseCookie device = set.values().stream()
                .filter(cookie -> cookie.getName().startsWith("lb_device_"))
                .findFirst()
                .orElseThrow();
        assertThat(device.isHttpOnly()).isTrue();
        assertThat(device.getSameSite()).isEqualTo("Lax");
        String next = "another long password";
        send("/account/password", "/account", Map.of("current", PASSWORD, "password", next, "repeated", next));
        assertThat(jar.get(device.getName())).as("a new one").isNotEqualTo(device.getValue());
    }

    private int signInFrom(String forwarded, String email, String password) {
        jar.remove("lb_session");
        Document form = get("/sign-in");
        MultiValueMap<String, String> fields = new LinkedMultiValueMap<>();
        fields.add("_csrf", form.select("main input[name=_csrf]").attr("value"));
        fields.add("email", email);
        fields.add("password", password);
        EntityExchangeResult<byte[]> result = client.post()
                .uri("/sign-in")
                .header("X-Forwarded-For", forwarded)
                .header("Forwarded", "for=192.0.2.1") // which is not believed
                .cookies(c -> jar.forEach(c::add))
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .bodyValue(fields)
                .exchange()
                .expectBody()
                .returnResult();
        keep(result);
        return result.getStatus().value();
    }

    @Test
    void link_to_another_site_is_not_followed_after_signing_in() {
        for (String next : new String[] {"//evil.example", "/\\evil.example", "https://evil.example", "/a|b"}) {
            Document form = page(
                    client,
                    "/sign-in?next=" + java.net.URLEncoder.encode(next, java.nio.charset.StandardCharsets.UTF_8));
            assertThat(form.select("input[name=next]").attr("value")).as(next).isEqualTo("/");
        }
    }

    @Test
    void failed_sign_in_is_recorded_without_what_was_typed() {
        String email = account();
        String typed = "typed-" + ExternalId.random("acc");
        assertThat(signInFrom("203.0.113.77", email, typed)).isEqualTo(422);
        assertThat(signInFrom("203.0.113.78", typed + "@example.org", typed)).isEqualTo(422);
        assertThat(number("select count(*) from audit_event e join account a on a.external_id = e.subject"
                        + " where e.action = 'account.sign-in-failed' and a.email = '" + email
                        + "' and e.actor = 'anonymous' and e.detail = '{\"address\": \"203.0.113.77\"}'"))
                .isEqualTo(1);
        assertThat(number("select count(*) from audit_event where action = 'account.sign-in-failed'"
                        + " and subject = 'unknown' and detail ->> 'address' = '203.0.113.78'"))
                .isEqualTo(1);
        assertThat(number("select count(*) from audit_event where audit_event::text like '%" + typed + "%'"))
                .isZero();
    }

    @Test
    void current_password_cannot_be_guessed_within_a_session() {
        String email = account();
        send("/sign-in", "/sign-in", Map.of("email", email, "password", PASSWORD));
        String next = "another long password";
        Map<String, String> wrong = Map.of("current", "wrong", "password", next, "repeated", next);
        for (int i = 0; i < SignInThrottle.PER_DEVICE; i++) {
            assertThat(send("/account/password", "/account", wrong).getStatus().value())
                    .isEqualTo(422);
        }
        EntityExchangeResult<byte[]> refused =
                send("/account/password", "/account", Map.of("current", PASSWORD, "password", next, "repeated", next));
        assertThat(refused.getStatus().value()).isEqualTo(429);
        assertThat(document(refused).select("[role=alert]").text()).contains("Try again in 15 minutes");
        assertThat(number("select count(*) from audit_event e join account a on a.external_id = e.subject"
                        + " where e.action = 'account.change-password-failed' and a.email = '" + email + "'"))
                .isEqualTo(SignInThrottle.PER_DEVICE);
    }

    @Test
    void address_that_is_none_leads_home_after_signing_in() {
        String email = account();
        for (String next : new String[] {"/%zz", "/a?b=%", "/runs%2"}) {
            jar.clear();
            assertThat(location(
                            send("/sign-in", "/sign-in", Map.of("email", email, "password", PASSWORD, "next", next))))
                    .as(next)
                    .isEqualTo("/");
        }
        assertThat(location(send(
                        "/sign-in",
                        "/sign-in",
                        Map.of(
                                "email",
                                email,
                                "password",
                                PASSWORD,
                                "next",
                                "/runs?before=2026-11-21T02:00:00%2B00:00"))))
                .isEqualTo("/runs?before=2026-11-21T02:00:00%2B00:00");
    }

    @Test
    void only_a_bearer_is_looked_at_and_what_a_proxy_asked_for_is_its_own() {
        for (String other : new String[] {"Basic YTpi", "Digest username=\"a\"", "Bearers of bad news"}) {
            WebTestClient browser =
                    client.mutate().defaultHeader("Authorization", other).build();
            browser.get().uri("/api/health").exchange().expectStatus().isOk();
            browser.get().uri("/sign-in").exchange().expectStatus().isOk();
            browser.get()
                    .uri("/account")
                    .cookie("lb_session", cast.ownerSession().value())
                    .exchange()
                    .expectStatus()
                    .isOk();
        }
        for (String wrong : new String[] {"Bearer nonsense", "bearer", "Bearer  lba_" + "a".repeat(52)}) {
            client.get()
                    .uri("/api/health")
                    .header("Authorization", wrong)
                    .exchange()
                    .expectStatus()
                    .isUnauthorized();
        }
        client.get()
                .uri("/api/health")
                .header("Authorization", "bearer " + Service.BOOTSTRAP_TOKEN)
                .exchange()
                .expectStatus()
                .isOk();
    }

    @Test
    void form_without_its_token_or_from_another_site_is_refused() {
        String email = account();
        Map<String, String> good = Map.of("email", email, "password", PASSWORD);
        get("/sign-in");
        assertThat(post("/sign-in", good, "").getStatus().value()).isEqualTo(403);
        assertThat(post("/sign-in", good, "forged").getStatus().value()).isEqualTo(403);
        assertThat(post("/sign-in", good, "A".repeat(86)).getStatus().value())
                .as("as long as a token")
                .isEqualTo(403);
        as(OWNER)
                .mutate()
                .defaultHeaders(h -> h.remove("X-Csrf-Token"))
                .build()
                .post()
                .uri("/account/password")
                .exchange()
                .expectStatus()
                .isForbidden();
        as(OWNER)
                .post()
                .uri("/account/password")
                .header("Sec-Fetch-Site", "cross-site")
                .exchange()
                .expectStatus()
                .isForbidden();
    }

    @Test
    void form_token_is_of_one_browser_alone_and_the_refusal_is_a_page_with_a_good_one() {
        String other =
                page(as(STRANGER), "/account").select("input[name=_csrf]").attr("value");
        WebTestClient owner = as(OWNER);
        Document refused = document(owner.mutate()
                .defaultHeaders(h -> h.set("X-Csrf-Token", other))
                .build()
                .post()
                .uri("/account/password")
                .exchange()
                .expectStatus()
                .isForbidden()
                .expectBody()
                .returnResult());
        assertThat(refused.text()).contains("This form is out of date");
        String good = refused.select("input[name=_csrf]").attr("value");
        owner.mutate()
                .defaultHeaders(h -> h.set("X-Csrf-Token", good))
                .build()
                .post()
                .uri("/account/password")
                .exchange()
                .expectStatus()
                .isEqualTo(422);
    }

    @Test
    void expired_session_and_disabled_account_are_anonymous() {
        Secret session = cast.ownerSession();
        assertThat(statusOf("/account", session.value())).isEqualTo(200);
        database.sql("update session set expires_at = now() - interval '1 second' where token_hash = :hash")
                .bind("hash", session.hash())
                .then()
                .block(TIMEOUT);
        assertThat(statusOf("/account", session.value())).isEqualTo(303);

        String email = account();
        send("/sign-in", "/sign-in", Map.of("email", email, "password", PASSWORD));
        database.sql("update account set disabled_at = now() where email = :email")
                .bind("email", email)
                .then()
                .block(TIMEOUT);
        assertThat(statusOf("/account", Objects.requireNonNull(jar.get("lb_session"))))
                .isEqualTo(303);
    }

    @Test
    void revoked_and_expired_tokens_are_unknown() {
        client.get()
                .uri("/api/health")
                .header("Authorization", "Bearer " + Service.BOOTSTRAP_TOKEN)
                .exchange()
                .expectStatus()
                .isOk();
        for (String end : new String[] {"revoked_at = now()", "expires_at = now()"}) {
            Secret token = Secret.random("lbt");
            database.sql(
                            "insert into api_token (external_id, workspace_id, name, token_hash, last4, scopes)"
                                    + " select :id, workspace_id, 'test', :hash, 'none', '{read}' from workspace where slug = 'main'")
                    .bind("id", ExternalId.random("tok").value())
                    .bind("hash", token.hash())
                    .then()
                    .block(TIMEOUT);
            bearer(token.value())
                    .get()
                    .uri("/api/health")
                    .exchange()
                    .expectStatus()
                    .isOk();
            database.sql("update api_token set " + end + " where token_hash = :hash")
                    .bind("hash", token.hash())
                    .then()
                    .block(TIMEOUT);
            bearer(token.value())
                    .get()
                    .uri("/api/health")
                    .exchange()
                    .expectStatus()
                    .isUnauthorized()
                    .expectHeader()
                    .contentType(MediaType.APPLICATION_PROBLEM_JSON);
        }
    }

    @Test
    void setup_link_works_once_and_only_until_there_is_an_administrator() {
        SetupService setup = service.bean(SetupService.class);
        Secret link =
                Objects.requireNonNull(setup.linkIfNeeded().block(TIMEOUT), "the shared service has an administrator");
        Secret other = Objects.requireNonNull(setup.linkIfNeeded().block(TIMEOUT));
        String email = "first-" + ExternalId.random("acc") + "@example.org";
        Document form = get("/setup/" + link.value());
        assertThat(form.select("h1").text()).isEqualTo("First administrator");
        try {
            assertThat(location(send(
                            "/setup/" + link.value(),
                            "/setup/" + link.value(),
                            Map.of("email", email, "name", "First", "password", PASSWORD))))
                    .isEqualTo("/");
            assertThat(get("/account").text()).contains("First", email);
            client.get().uri("/setup/" + link.value()).exchange().expectStatus().isNotFound();
            client.get()
                    .uri("/setup/" + other.value())
                    .exchange()
                    .expectStatus()
                    .isNotFound();
            assertThat(setup.linkIfNeeded().block(TIMEOUT)).isNull();
        } finally { // other tests of the shared service may want a link
            database.sql("update account set administrator = false where email = :email")
                    .bind("email", email)
                    .then()
                    .block(TIMEOUT);
        }
    }

    @Test
    void method_that_is_not_served_is_refused_as_that() {
        for (String method : new String[] {"TRACE", "PUT", "PURGE"}) {
            assertThat(refusal(method, "/leaderboard")).as(method).isEqualTo(405);
            assertThat(refusal(method, "/api/v1/runs")).as(method).isEqualTo(405);
            assertThat(refusal(method, "/no/such/path")).as(method).isEqualTo(404);
        }
        assertThat(refusal("POST", "/leaderboard")).isEqualTo(405);
    }

    @Test
    void address_that_proxies_read_in_different_ways_is_refused_with_a_problem() {
        for (String path :
                new String[] {"/api/v1/runs/a;b", "/api/v1/runs/a%2Fb", "/api/v1//runs", "/api/v1/runs/a%25b"}) {
            client.get()
                    .uri(java.net.URI.create(service.url() + path))
                    .exchange()
                    .expectStatus()
                    .isBadRequest()
                    .expectHeader()
                    .contentType(MediaType.APPLICATION_PROBLEM_JSON);
        }
    }

    private int refusal(String method, String path) {
        return client.method(org.springframework.http.HttpMethod.valueOf(method))
                .uri(path)
                .exchange()
                .expectBody()
                .returnResult()
                .getStatus()
                .value();
    }

    @Test
    void every_answer_carries_the_security_headers() {
        for (String path : new String[] {"/sign-in", "/vendor/htmx.min.js", "/no/such/path", "/api/none", "/account"}) {
            client.get()
                    .uri(path)
                    .exchange()
                    .expectHeader()
                    .value(
                            "Content-Security-Policy",
                            v -> assertThat(v).contains("script-src 'self';").doesNotContain("unsafe"))
                    .expectHeader()
                    .valueEquals("X-Content-Type-Options", "nosniff");
        }
    }

    @Test
    void page_without_a_form_sets_no_cookie() {
        client.get().uri("/no/such/path").exchange().expectCookie().doesNotExist("lb_form");
    }

    /** A new person who can sign in; gives the email. */
    private String account() {
        String email = ExternalId.random("acc") + "@example.org";
        PasswordService passwords = service.bean(PasswordService.class);
        assertThat(service.bean(Clock.class)).isNotNull();
        database.sql(
                        "insert into account (external_id, email, display_name, password_hash) values (:id, :email, 'Somebody', :hash)")
                .bind("id", ExternalId.random("acc").value())
                .bind("email", email)
                .bind("hash", Objects.requireNonNull(passwords.hash(PASSWORD).block(TIMEOUT)))
                .then()
                .block(TIMEOUT);
        return email;
    }

    private EntityExchangeResult<byte[]> send(String path, String formAt, Map<String, String> fields) {
        Document form = get(formAt);
        Map<String, String> all = new HashMap<>(fields);
        form.select("main input[type=hidden]")
                .forEach(input -> all.putIfAbsent(input.attr("name"), input.attr("value")));
        return post(path, all, Objects.requireNonNull(all.remove("_csrf")));
    }

    private EntityExchangeResult<byte[]> post(String path, Map<String, String> fields, String token) {
        MultiValueMap<String, String> form = new LinkedMultiValueMap<>();
        fields.forEach(form::add);
        form.add("_csrf", token);
        EntityExchangeResult<byte[]> result = client.post()
                .uri(path)
                .cookies(c -> jar.forEach(c::add))
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .bodyValue(form)
                .exchange()
                .expectBody()
                .returnResult();
        keep(result);
        return result;
    }

    private Document get(String path) {
        EntityExchangeResult<byte[]> result = client.get()
                .uri(path)
                .cookies(c -> jar.forEach(c::add))
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult();
        keep(result);
        return document(result);
    }

    private void keep(EntityExchangeResult<byte[]> result) {
        result.getResponseCookies().forEach((name, cookies) -> {
            ResponseCookie cookie = cookies.getFirst();
            if (cookie.getMaxAge().isZero()) {
                jar.remove(name);
            } else {
                jar.put(name, cookie.getValue());
            }
        });
    }

    private int statusOf(String path, String session) {
        return client.get()
                .uri(path)
                .cookie("lb_session", session)
                .exchange()
                .expectBody()
                .returnResult()
                .getStatus()
                .value();
    }

    private static String location(EntityExchangeResult<byte[]> result) {
        assertThat(result.getStatus().value()).isEqualTo(303);
        return Objects.requireNonNull(result.getResponseHeaders().getLocation()).toString();
    }
}
