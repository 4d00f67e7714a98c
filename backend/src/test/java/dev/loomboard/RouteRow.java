package dev.loomboard;

import static dev.loomboard.RouteRow.Outcome.ADMITTED;
import static dev.loomboard.RouteRow.Outcome.FORBIDDEN;
import static dev.loomboard.RouteRow.Outcome.HIDDEN;
import static dev.loomboard.RouteRow.Outcome.UNPROVEN;

import dev.loomboard.kit.Cast.Role;
import java.util.List;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

/**
 * What each caller meets on a route, a sign per caller in the order of {@link Role}: anonymous | viewer, member, owner |
 * owner of another workspace, administrator | agent, agent of another workspace | token of the operator, to read, to run, to
 * register, for schedules, for all. The signs: + admitted, ? asked who it is, x forbidden, - as if it did not exist.
 */
record RouteRow(String route, String path, String outcomes) {

    /** What a role may expect of a route. */
    enum Outcome {
        /** Anything but a refusal: 2xx, a redirect onwards, or a complaint about the request itself. */
        ADMITTED,
        /** Asked to prove who it is: 401, or a redirect to sign in. */
        UNPROVEN,
        /** 403. */
        FORBIDDEN,
        /** 404, as if it did not exist. */
        HIDDEN;

        static Outcome of(EntityExchangeResult<byte[]> answer) {
            int status = answer.getStatus().value();
            var location = answer.getResponseHeaders().getLocation();
            if (status >= 500) {
                throw new AssertionError("the service failed with " + status);
            }
            return switch (status) {
                case 401 -> UNPROVEN;
                case 403 -> FORBIDDEN;
                case 404 -> HIDDEN;
                default ->
                    status == 303 && location != null && location.getPath().equals("/sign-in") ? UNPROVEN : ADMITTED;
            };
        }
    }

    private static final String OPEN = "+ +++ ++ ++ ++++++";
    private static final String NOWHERE = "- --- -- -- ------";

    RouteRow {
        if (signs(outcomes).length() != Role.values().length) {
            throw new IllegalArgumentException(route + " needs a sign for each of " + List.of(Role.values()));
        }
    }

    Outcome of(Role role) {
        char sign = signs(outcomes).charAt(List.of(Role.values()).indexOf(role));
        return switch (sign) {
            case '+' -> ADMITTED;
            case '?' -> UNPROVEN;
            case 'x' -> FORBIDDEN;
            case '-' -> HIDDEN;
            default -> throw new IllegalArgumentException(route + " has the sign " + sign);
        };
    }

    private static String signs(String outcomes) {
        return outcomes.replace(" ", "");
    }

    HttpMethod method() {
        return HttpMethod.valueOf(route.substring(0, route.indexOf(' ')));
    }

    static RouteRow open(String route, String path) {
        return new RouteRow(route, path, OPEN);
    }

    static RouteRow hidden(String route, String path) {
        return new RouteRow(route, path, NOWHERE);
    }

    /** Something private of the default workspace, read by a path that names it. */
    static RouteRow secret(String route, String path) {
        return new RouteRow(route, path, "- +++ -- +- ++++++");
    }

    /** A page that every person may open. */
    static RouteRow person(String route, String path) {
        return new RouteRow(route, path, "? +++ ++ xx xxxxxx");
    }

    /** A form that every person may send; what is wrong in it is another matter. */
    static RouteRow personsForm(String route, String path) {
        return new RouteRow(route, path, "x +++ ++ xx xxxxxx");
    }

    /** A page to make something new, for owners of a workspace, whichever. */
    static RouteRow ownersPage(String route, String path) {
        return new RouteRow(route, path, "? xx+ +x xx xxxxxx");
    }

    static RouteRow ownersForm(String route, String path) {
        return new RouteRow(route, path, "x xx+ +x xx xxxxxx");
    }

    /** A change, by an owner, of something private, which others must not even find. */
    static RouteRow change(String route, String path) {
        return new RouteRow(route, path, "x xx+ -- xx xxxxxx");
    }

    /** A change of something that is not there. */
    static RouteRow changeOfNothing(String route, String path) {
        return new RouteRow(route, path, "x --- -- xx xxxxxx");
    }

    /** What only owners of the default workspace may open; that it is there, everybody may know. */
    static RouteRow ownersOfMain(String route, String path) {
        return new RouteRow(route, path, "? xx+ xx xx xxxxxx");
    }

    static RouteRow formOfOwnersOfMain(String route, String path) {
        return new RouteRow(route, path, "x xx+ xx xx xxxxxx");
    }

    static RouteRow administrators(String route, String path) {
        return new RouteRow(route, path, "? xxx x+ xx xxxxxx");
    }

    /**
     * For tokens of the scope admin.
     *
     * @param sign what these meet
     */
    static RouteRow admins(String route, String path, char sign) {
        return new RouteRow(route, path, "? xxx xx xx xxxxx" + sign);
    }

    /**
     * For tokens of the scope schedule:write, and of those that include it.
     *
     * @param sign what these meet
     */
    static RouteRow schedulers(String route, String path, char sign) {
        return new RouteRow(route, path, "? xxx xx xx xxxx" + sign + sign);
    }

    static RouteRow agent(String route, String path) {
        return new RouteRow(route, path, "? xxx xx ++ xxxxxx");
    }
}
