package dev.loomboard.account;

import dev.loomboard.account.SignInResult.Entry;
import dev.loomboard.web.ClientAddress;
import dev.loomboard.web.Cookies;
import dev.loomboard.web.FormToken;
import dev.loomboard.web.Urls;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.server.ServerWebExchange;

/** Reads from a request who asks, and gives a browser the cookies by which it is let in. */
public final class Entrance {

    private static final Pattern OWN_PATH = Pattern.compile("/(?!/)[A-Za-z0-9._~/?&=%:@,+-]*");

    /** Holds the secret of a sign-in that waits for its code. */
    static final String STEP_COOKIE = "lb_step";

    private static final int LONGEST_PATH = 1000;

    private Entrance() {}

    public static Visitor visitor(ServerWebExchange exchange) {
        return new Visitor(
                ClientAddress.group(exchange.getRequest().getRemoteAddress()),
                BrowserName.of(exchange.getRequest().getHeaders().getFirst(HttpHeaders.USER_AGENT)),
                Cookies.all(exchange));
    }

    /** The way on for a browser whose user is known: with the new session's cookie. */
    public static ResponseEntity<byte[]> enter(ServerWebExchange exchange, Entry entry, String next) {
        exchange.getResponse()
                .addCookie(Cookies.of(
                        exchange, FormToken.SESSION_COOKIE, entry.session().value(), entry.life()));
        DeviceCookie device = entry.device();
        exchange.getResponse().addCookie(Cookies.of(exchange, device.name(), device.value(), DeviceCookie.LIFE));
        return seeOther(next);
    }

    /** The way to the second step, for a browser whose user has taken the first. */
    public static ResponseEntity<byte[]> askForCode(
            ServerWebExchange exchange, SignInResult.SecondStep step, String next) {
        exchange.getResponse()
                .addCookie(Cookies.of(exchange, STEP_COOKIE, step.waiting().value(), EntryService.SECOND_STEP_LIFE));
        return seeOther(Urls.signInCode(next));
    }

    static ResponseEntity<byte[]> seeOther(String path) {
        return ResponseEntity.status(HttpStatus.SEE_OTHER)
                .location(URI.create(path))
                .build();
    }

    /** Only a path of our own: "//host" and "/\\host" would lead away, and "/%zz" nowhere. */
    static String ownPath(String next) {
        return ownPath(next, Urls.home());
    }

    static String ownPath(String next, String otherwise) {
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
