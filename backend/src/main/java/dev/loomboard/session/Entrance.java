package dev.loomboard.session;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.credential.Proof;
import dev.loomboard.kernel.Secret;
import dev.loomboard.limits.ClientAddress;
import dev.loomboard.web.Cookies;
import dev.loomboard.web.FormToken;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.Urls;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.server.ServerWebExchange;

/** Reads from a request who asks, and gives a browser the cookies by which it is let in. */
public final class Entrance {

    private static final Pattern OWN_PATH = Pattern.compile("/(?!/)[A-Za-z0-9._~/?&=%:@,+-]*");

    /** Holds the secret of a sign-in that waits for its code. */
    public static final String STEP_COOKIE = "lb_step";

    /** How long a sign-in waits for its code. */
    public static final Duration STEP_LIFE = Duration.ofMinutes(10);

    private static final int LONGEST_PATH = 1000;

    private Entrance() {}

    public static Visitor visitor(ServerWebExchange exchange) {
        return new Visitor(
                ClientAddress.group(exchange.getRequest().getRemoteAddress()),
                BrowserName.of(exchange.getRequest().getHeaders().getFirst(HttpHeaders.USER_AGENT)),
                Cookies.all(exchange));
    }

    /** The session's secret, if the request has a cookie that can be one. */
    public static Optional<Secret> session(ServerWebExchange exchange) {
        return Optional.ofNullable(Cookies.value(exchange, FormToken.SESSION_COOKIE))
                .filter(value -> Secret.isOf("lbs", value))
                .map(Secret::new);
    }

    /** @param password as it was typed */
    public static Proof proof(ServerWebExchange exchange, String password) {
        return new Proof(password, session(exchange).orElse(null));
    }

    /** The way on for a browser whose user is known: with the new session's cookie. */
    public static ResponseEntity<byte[]> enter(ServerWebExchange exchange, NewSession session, String next) {
        exchange.getResponse()
                .addCookie(Cookies.of(
                        exchange, FormToken.SESSION_COOKIE, session.secret().value(), session.life()));
        DeviceCookie device = session.device();
        exchange.getResponse().addCookie(Cookies.of(exchange, device.name(), device.value(), DeviceCookie.LIFE));
        return seeOther(next);
    }

    /**
     * The way to the second step, for a browser whose user has taken the first.
     *
     * @param waiting the secret by which it goes on
     */
    public static ResponseEntity<byte[]> askForCode(ServerWebExchange exchange, Secret waiting, String next) {
        exchange.getResponse().addCookie(Cookies.of(exchange, STEP_COOKIE, waiting.value(), STEP_LIFE));
        return seeOther(PeopleUrls.signInCode(next));
    }

    /** Only a path of our own: "//host" and "/\\host" would lead away, and "/%zz" nowhere. */
    public static String ownPath(String next) {
        return ownPath(next, Urls.home());
    }

    public static String ownPath(String next, String otherwise) {
        return next.length() <= LONGEST_PATH && OWN_PATH.matcher(next).matches() && isAddress(next) ? next : otherwise;
    }

    private static boolean isAddress(String text) {
        try {
            new URI(text);
            return true;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
