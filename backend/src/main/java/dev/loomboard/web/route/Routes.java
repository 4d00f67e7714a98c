package dev.loomboard.web.route;

import static dev.loomboard.web.route.Access.AGENT;
import static dev.loomboard.web.route.Access.ANYONE;
import static dev.loomboard.web.route.Access.MONITOR;
import static dev.loomboard.web.route.Access.PERSON;
import static dev.loomboard.web.route.Access.SIGNED_LINK;
import static org.springframework.http.HttpMethod.GET;
import static org.springframework.http.HttpMethod.HEAD;
import static org.springframework.http.HttpMethod.POST;
import static org.springframework.http.HttpMethod.PUT;

import dev.loomboard.kernel.Caller.TokenScope;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;

/**
 * Every route of the service and who may use it. What is not in this table is refused; a test fails when a controller
 * has a mapping that is not here, or this has one that no controller serves.
 */
public final class Routes {

    /** The table. One line per mapping; the longest matching pattern decides. */
    public static final List<Route> ALL = List.of(
            // Files of the front end.
            Route.of(GET, "/files/**", ANYONE),
            Route.of(GET, "/favicon.ico", ANYONE),
            Route.of(GET, "/favicon.svg", ANYONE),
            Route.of(GET, "/robots.txt", ANYONE),
            Route.of(GET, "/sitemap.xml", ANYONE),
            // What a bare machine fetches.
            Route.of(GET, "/install.sh", ANYONE),
            Route.of(GET, "/downloads/{file}", ANYONE),
            // The service itself.
            Route.of(GET, "/api/health", ANYONE),
            Route.of(GET, "/metrics", MONITOR),
            // What was measured: pages, and the same for programs.
            Route.of(GET, "/", ANYONE),
            Route.of(GET, "/search", ANYONE),
            Route.of(GET, "/search.json", ANYONE),
            Route.of(GET, "/first-steps", PERSON),
            Route.of(GET, "/leaderboard", ANYONE),
            Route.of(GET, "/leaderboard.json", ANYONE),
            Route.of(GET, "/leaderboard.csv", ANYONE),
            Route.of(GET, "/leaderboard.svg", ANYONE),
            Route.of(GET, "/leaderboard/{scenario}", ANYONE),
            Route.of(GET, "/leaderboard/{scenario}.json", ANYONE),
            Route.of(GET, "/leaderboard/{scenario}.csv", ANYONE),
            Route.of(GET, "/leaderboard/{scenario}.svg", ANYONE),
            Route.of(GET, "/badges/{scenario}/{server}/{variant}.svg", ANYONE),
            Route.of(GET, "/servers", ANYONE),
            Route.of(GET, "/servers.json", ANYONE),
            Route.of(GET, "/servers/{server}", ANYONE),
            Route.of(GET, "/servers/{server}.json", ANYONE),
            Route.of(GET, "/servers/{server}/{variant}", ANYONE),
            Route.of(GET, "/servers/{server}/{variant}.json", ANYONE),
            Route.of(GET, "/compare", ANYONE),
            Route.of(GET, "/compare.json", ANYONE),
            Route.of(GET, "/compare.csv", ANYONE),
            Route.of(GET, "/compare/cells", ANYONE),
            Route.of(GET, "/compare/cells.json", ANYONE),
            Route.of(GET, "/compare/cells.csv", ANYONE),
            Route.of(GET, "/compare/cells.svg", ANYONE),
            Route.of(GET, "/compare/grid", ANYONE),
            Route.of(GET, "/compare/grid.json", ANYONE),
            Route.of(GET, "/compare/grid.csv", ANYONE),
            Route.of(GET, "/runs", ANYONE),
            Route.of(GET, "/runs.json", ANYONE),
            Route.of(GET, "/runs/months/{month}", ANYONE),
            Route.of(GET, "/runs/months/{month}.json", ANYONE),
            Route.of(GET, "/runs/{runId}", ANYONE),
            Route.of(GET, "/runs/{runId}.json", ANYONE),
            Route.of(GET, "/runs/{runId}.csv", ANYONE),
            Route.of(GET, "/runs/{runId}/bundle", ANYONE),
            Route.of(GET, "/runs/{runId}/matrix.yaml", ANYONE),
            Route.of(GET, "/runs/import", PERSON),
            Route.of(POST, "/runs/import", PERSON),
            Route.of(GET, "/runs/{runId}/verdicts", ANYONE),
            Route.of(GET, "/runs/{runId}/verdicts.json", ANYONE),
            Route.of(GET, "/runs/{runId}/verdicts.csv", ANYONE),
            Route.of(GET, "/trials/{id}", ANYONE),
            Route.of(GET, "/trials/{id}.json", ANYONE),
            Route.of(GET, "/trials/{id}.csv", ANYONE),
            Route.of(GET, "/trials/{id}.svg", ANYONE),
            Route.of(GET, "/trials/{id}/artefacts/{name}", ANYONE),
            Route.of(GET, "/flames", ANYONE),
            Route.of(GET, "/flames.json", ANYONE),
            Route.of(GET, "/flames.csv", ANYONE),
            Route.of(GET, "/series/{id}", ANYONE),
            Route.of(GET, "/series/{id}.json", ANYONE),
            Route.of(GET, "/series/{id}.csv", ANYONE),
            Route.of(GET, "/series/{id}.svg", ANYONE),
            Route.of(POST, "/series/{id}/notes", PERSON),
            Route.of(POST, "/series/{id}/notes/{note}/remove", PERSON),
            Route.of(GET, "/regressions", ANYONE),
            Route.of(GET, "/regressions.json", ANYONE),
            Route.of(GET, "/regressions.csv", ANYONE),
            Route.of(GET, "/regressions.atom", ANYONE),
            Route.of(GET, "/regressions/{id}", ANYONE),
            Route.of(GET, "/regressions/{id}.json", ANYONE),
            Route.of(POST, "/regressions/{id}/triage", PERSON),
            Route.of(POST, "/regressions/{id}/rerun", PERSON),
            Route.of(POST, "/regressions/{id}/default-rerun", PERSON),
            Route.of(POST, "/regressions/{id}/bisection", PERSON),
            Route.of(POST, "/regressions/{id}/bisection/cancel", PERSON),
            Route.of(GET, "/retractions", ANYONE),
            Route.of(GET, "/retractions.json", ANYONE),
            Route.of(GET, "/retractions.csv", ANYONE),
            Route.of(GET, "/retractions.atom", ANYONE),
            Route.of(POST, "/retractions", PERSON),
            Route.of(POST, "/retractions/{id}/withdraw", PERSON),
            Route.of(GET, "/jdks", ANYONE),
            Route.of(GET, "/jdks.json", ANYONE),
            Route.of(GET, "/jdks/{feature}", ANYONE),
            Route.of(GET, "/jdks/{feature}.json", ANYONE),
            Route.of(GET, "/jdks/{feature}/{build}", ANYONE),
            Route.of(GET, "/jdks/{feature}/{build}.json", ANYONE),
            Route.of(GET, "/runs/{runId}/events", ANYONE),
            Route.of(GET, "/methodology", ANYONE),
            Route.of(GET, "/methodology.json", ANYONE),
            Route.of(GET, "/metrics-glossary", ANYONE),
            Route.of(GET, "/metrics-glossary.json", ANYONE),
            Route.of(GET, "/api", ANYONE),
            Route.of(GET, "/api.json", ANYONE),
            Route.of(GET, "/api/contracts/{file}", ANYONE),
            Route.of(GET, "/status", ANYONE),
            Route.of(GET, "/status.json", ANYONE),
            // About the product.
            Route.of(GET, "/patterns", ANYONE),
            Route.of(GET, "/patterns.json", ANYONE),
            // Accounts.
            Route.of(GET, "/sign-in", ANYONE),
            Route.of(POST, "/sign-in", ANYONE),
            Route.of(GET, "/sign-in/code", ANYONE),
            Route.of(POST, "/sign-in/code", ANYONE),
            Route.of(GET, "/sign-in/openid", ANYONE),
            Route.of(GET, "/sign-in/openid/callback", ANYONE),
            Route.of(GET, "/sign-up", ANYONE),
            Route.of(POST, "/sign-up", ANYONE),
            Route.of(GET, "/sign-up/{token}", ANYONE),
            Route.of(POST, "/sign-up/{token}", ANYONE),
            Route.of(GET, "/reset-password", ANYONE),
            Route.of(POST, "/reset-password", ANYONE),
            Route.of(GET, "/reset-password/{token}", ANYONE),
            Route.of(POST, "/reset-password/{token}", ANYONE),
            Route.of(POST, "/sign-out", PERSON),
            Route.of(GET, "/setup/{token}", ANYONE),
            Route.of(POST, "/setup/{token}", ANYONE),
            Route.of(GET, "/account", PERSON),
            Route.of(GET, "/account.json", PERSON),
            Route.of(POST, "/account/password", PERSON),
            Route.of(POST, "/account/sessions/{id}/revoke", PERSON),
            Route.of(POST, "/account/sessions/revoke-others", PERSON),
            Route.of(GET, "/account/two-step", PERSON),
            Route.of(POST, "/account/two-step", PERSON),
            Route.of(POST, "/account/two-step/confirm", PERSON),
            Route.of(POST, "/account/two-step/disable", PERSON),
            Route.of(GET, "/account/openid", PERSON),
            Route.of(POST, "/account/openid", PERSON),
            Route.of(POST, "/account/openid/unlink", PERSON),
            Route.of(GET, "/account/openid/prove", PERSON),
            Route.of(GET, "/account/export.json", PERSON),
            Route.of(GET, "/account/delete", PERSON),
            Route.of(POST, "/account/delete", PERSON),
            Route.of(GET, "/account/mails", PERSON),
            Route.of(POST, "/account/mails", PERSON),
            Route.of(POST, "/account/mails/test", PERSON),
            Route.of(GET, "/unsubscribe/{link}", ANYONE),
            Route.of(POST, "/unsubscribe/{link}", SIGNED_LINK),
            Route.of(GET, "/account/tokens", PERSON),
            Route.of(POST, "/account/tokens", PERSON),
            Route.of(POST, "/account/tokens/{id}/revoke", PERSON),
            // Workspaces.
            Route.of(GET, "/workspaces", PERSON),
            Route.of(GET, "/workspaces.json", PERSON),
            Route.of(POST, "/workspaces", PERSON),
            Route.of(POST, "/workspaces/choose", PERSON),
            Route.of(GET, "/w/{workspace}", ANYONE),
            Route.of(GET, "/w/{workspace}.json", ANYONE),
            Route.of(GET, "/w/{workspace}/settings", PERSON),
            Route.of(POST, "/w/{workspace}/settings", PERSON),
            Route.of(POST, "/w/{workspace}/visibility", PERSON),
            Route.of(POST, "/w/{workspace}/delete", PERSON),
            Route.of(GET, "/w/{workspace}/members", PERSON),
            Route.of(GET, "/w/{workspace}/members.json", PERSON),
            Route.of(POST, "/w/{workspace}/members/{account}/role", PERSON),
            Route.of(POST, "/w/{workspace}/members/{account}/remove", PERSON),
            Route.of(POST, "/w/{workspace}/leave", PERSON),
            Route.of(POST, "/w/{workspace}/invitations", PERSON),
            Route.of(POST, "/w/{workspace}/invitations/{id}/revoke", PERSON),
            Route.of(GET, "/w/{workspace}/webhooks", PERSON),
            Route.of(POST, "/w/{workspace}/webhooks", PERSON),
            Route.of(POST, "/w/{workspace}/webhooks/{id}/remove", PERSON),
            Route.of(POST, "/w/{workspace}/webhooks/{id}/test", PERSON),
            Route.of(POST, "/w/{workspace}/webhooks/messages/{message}/again", PERSON),
            Route.of(GET, "/invitations/{token}", ANYONE),
            Route.of(POST, "/invitations/{token}", PERSON),
            Route.of(GET, "/w/{workspace}/audit", PERSON),
            Route.of(GET, "/w/{workspace}/audit.json", PERSON),
            Route.of(GET, "/w/{workspace}/audit.csv", PERSON),
            Route.of(GET, "/audit", PERSON),
            Route.of(GET, "/audit.json", PERSON),
            Route.of(GET, "/audit.csv", PERSON),
            Route.of(GET, "/hidden", PERSON),
            Route.of(GET, "/hidden.json", PERSON),
            Route.of(POST, "/hidden", PERSON),
            Route.of(POST, "/hidden/{id}/show", PERSON),
            // Matrices and runs.
            Route.of(GET, "/matrices", ANYONE),
            Route.of(GET, "/matrices.json", ANYONE),
            Route.of(GET, "/matrices/new", PERSON),
            Route.of(POST, "/matrices/new", PERSON),
            Route.of(GET, "/matrices/new/draft", PERSON),
            Route.of(GET, "/w/{workspace}/matrices/{slug}", ANYONE),
            Route.of(GET, "/w/{workspace}/matrices/{slug}.json", ANYONE),
            Route.of(GET, "/w/{workspace}/matrices/{slug}/edit", PERSON),
            Route.of(POST, "/w/{workspace}/matrices/{slug}/edit", PERSON),
            Route.of(POST, "/w/{workspace}/matrices/{slug}/run", PERSON),
            Route.of(POST, "/runs/{runId}/cancel", PERSON),
            Route.of(POST, "/runs/{runId}/retry", PERSON),
            Route.of(POST, "/runs/{runId}/priority", PERSON),
            Route.of(POST, "/api/v1/runs", Access.token(TokenScope.RUN_WRITE)),
            Route.of(GET, "/api/v1/runs", ANYONE),
            Route.of(GET, "/api/v1/runs/{runId}", ANYONE),
            Route.of(GET, "/api/v1/runs/{runId}/bundle", ANYONE),
            Route.of(POST, "/api/v1/bundles", Access.token(TokenScope.RUN_WRITE)),
            Route.of(GET, "/api/v1/comparisons", ANYONE),
            Route.of(GET, "/api/v1/comparisons/{axis}", ANYONE),
            Route.of(GET, "/api/v1/regressions", ANYONE),
            Route.of(GET, "/api/v1/retractions", ANYONE),
            Route.of(POST, "/api/agent/v1/claim", AGENT),
            Route.of(POST, "/api/agent/v1/runs/{runId}/heartbeat", AGENT),
            Route.of(POST, "/api/agent/v1/runs/{runId}/complete", AGENT),
            // Machines.
            Route.of(GET, "/machines", ANYONE),
            Route.of(GET, "/machines.json", ANYONE),
            Route.of(GET, "/machines/new", PERSON),
            Route.of(POST, "/machines/new", PERSON),
            Route.of(GET, "/machines/new/{token}", PERSON),
            Route.of(GET, "/w/{workspace}/machines/{slug}", ANYONE),
            Route.of(GET, "/w/{workspace}/machines/{slug}.json", ANYONE),
            Route.of(GET, "/w/{workspace}/machines/{slug}.svg", ANYONE),
            Route.of(POST, "/w/{workspace}/machines/{slug}/revoke", PERSON),
            Route.of(POST, "/w/{workspace}/machines/{slug}/drain", PERSON),
            Route.of(POST, "/w/{workspace}/machines/{slug}/name", PERSON),
            Route.of(POST, "/w/{workspace}/machines/{slug}/labels", PERSON),
            Route.of(POST, "/w/{workspace}/machines/{slug}/key", PERSON),
            Route.of(POST, "/w/{workspace}/machines/{slug}/visibility", PERSON),
            Route.of(POST, "/w/{workspace}/machines/{slug}/reruns", PERSON),
            Route.of(POST, "/w/{workspace}/machines/{slug}/admission", PERSON),
            // Schedules.
            Route.of(GET, "/schedules", ANYONE),
            Route.of(GET, "/schedules.json", ANYONE),
            Route.of(GET, "/schedules/new", PERSON),
            Route.of(GET, "/schedules/new.json", PERSON),
            Route.of(POST, "/schedules/new", PERSON),
            Route.of(GET, "/schedules/preview", PERSON),
            Route.of(GET, "/schedules/preview.json", PERSON),
            Route.of(GET, "/w/{workspace}/schedules/{slug}", ANYONE),
            Route.of(GET, "/w/{workspace}/schedules/{slug}.json", ANYONE),
            Route.of(GET, "/w/{workspace}/schedules/{slug}/edit", PERSON),
            Route.of(POST, "/w/{workspace}/schedules/{slug}/edit", PERSON),
            Route.of(POST, "/w/{workspace}/schedules/{slug}/pause", PERSON),
            Route.of(POST, "/w/{workspace}/schedules/{slug}/resume", PERSON),
            Route.of(POST, "/w/{workspace}/schedules/{slug}/run", PERSON),
            Route.of(POST, "/w/{workspace}/schedules/{slug}/control", PERSON),
            Route.of(POST, "/w/{workspace}/schedules/{slug}/delete", PERSON),
            Route.of(POST, "/api/v1/machines/registration-tokens", Access.token(TokenScope.MACHINE_REGISTER)),
            Route.of(POST, "/api/v1/machines/{slug}/drain", Access.token(TokenScope.ADMIN)),
            Route.of(POST, "/api/v1/machines/{slug}/retire", Access.token(TokenScope.ADMIN)),
            Route.of(GET, "/api/v1/audit", Access.token(TokenScope.ADMIN)),
            Route.of(POST, "/api/v1/schedules", Access.token(TokenScope.SCHEDULE_WRITE)),
            Route.of(PUT, "/api/v1/schedules/{slug}", Access.token(TokenScope.SCHEDULE_WRITE)),
            Route.of(POST, "/api/v1/schedules/{slug}/pause", Access.token(TokenScope.SCHEDULE_WRITE)),
            Route.of(POST, "/api/v1/schedules/{slug}/resume", Access.token(TokenScope.SCHEDULE_WRITE)),
            Route.of(POST, "/api/v1/schedules/{slug}/run", Access.token(TokenScope.SCHEDULE_WRITE)),
            Route.of(PUT, "/api/agent/v1/trials/{trialId}/batches/{seq}", AGENT),
            Route.of(PUT, "/api/agent/v1/trials/{trialId}/artefacts/{name}", AGENT),
            Route.of(GET, "/api/agent/v1/features", ANYONE),
            Route.of(POST, "/api/agent/v1/register", ANYONE),
            Route.of(PUT, "/api/agent/v1/key", AGENT),
            Route.of(GET, "/api/agent/v1/signing-keys", AGENT),
            Route.of(GET, "/api/agent/v1/server-list", AGENT),
            Route.of(GET, "/api/agent/v1/needed-builds", AGENT),
            Route.of(PUT, "/api/agent/v1/jdk-progress", AGENT),
            Route.of(GET, "/api/agent/v1/jdk-flags", AGENT),
            Route.of(PUT, "/api/agent/v1/jdk-flags/{build}", AGENT),
            Route.of(PUT, "/api/agent/v1/inventory", AGENT));

    private static final Comparator<Route> MOST_SPECIFIC = (a, b) -> a.pattern().compareTo(b.pattern());

    private Routes() {}

    /** The row that decides about a request; empty: refuse it. */
    public static Optional<Route> find(HttpMethod method, PathContainer path) {
        return ALL.stream().filter(r -> r.matches(method, path)).min(MOST_SPECIFIC);
    }

    /** The methods of a path for any caller; empty: there is no such path. */
    public static Set<HttpMethod> methods(PathContainer path) {
        Set<HttpMethod> methods = new LinkedHashSet<>();
        for (Route route : ALL) {
            if (route.pattern().matches(path)) {
                methods.add(route.method());
                if (route.method().equals(GET)) {
                    methods.add(HEAD);
                }
            }
        }
        return methods;
    }
}
