package dev.loomboard;

import static dev.loomboard.RouteRolesTest.Outcome.ADMITTED;
import static dev.loomboard.RouteRolesTest.Outcome.FORBIDDEN;
import static dev.loomboard.RouteRolesTest.Outcome.HIDDEN;
import static dev.loomboard.RouteRolesTest.Outcome.UNPROVEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.WebTest;
import dev.loomboard.web.Route;
import dev.loomboard.web.Routes;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/** Every route × every role. A new route needs its line in {@link Routes} and its row here, or the build fails. */
final class RouteRolesTest extends WebTest {

    /** What a role may expect of a route. */
    enum Outcome {
        /** Anything but a refusal: 2xx, a redirect onwards, or a complaint about the request itself. */
        ADMITTED,
        /** Asked to prove who it is: 401, or a redirect to sign in. */
        UNPROVEN,
        /** 403. */
        FORBIDDEN,
        /** 404, as if it did not exist. */
        HIDDEN
    }

    private record Row(
            String route,
            String path,
            Outcome anonymous,
            Outcome owner,
            Outcome stranger,
            Outcome agent,
            Outcome token) {

        Outcome of(Role role) {
            return switch (role) {
                case ANONYMOUS -> anonymous;
                case OWNER -> owner;
                case STRANGER -> stranger;
                case AGENT -> agent;
                case TOKEN -> token;
            };
        }

        HttpMethod method() {
            return HttpMethod.valueOf(route.substring(0, route.indexOf(' ')));
        }
    }

    private static final List<Row> ROWS = List.of(
            // route, a path of it, anonymous, owner, stranger, agent, token
            new Row("GET /css/**", "/css/none.css", HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN),
            new Row("GET /js/**", "/js/none.js", HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN),
            new Row("GET /vendor/**", "/vendor/htmx.min.js", ADMITTED, ADMITTED, ADMITTED, ADMITTED, ADMITTED),
            new Row("GET /img/**", "/img/none.png", HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN),
            // The tests' service offers none; what one that does hands out is tested in DownloadApiTest.
            hidden("GET /install.sh", "/install.sh"),
            hidden("GET /downloads/{file}", "/downloads/SHA256SUMS"),
            open("GET /api/health", "/api/health"),
            // Nobody whom accounts or tokens of workspaces prove: what its own token gets is tested in MetricsTest.
            new Row("GET /metrics", "/metrics", UNPROVEN, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN),
            open("GET /", "/"),
            open("GET /leaderboard", "/leaderboard"),
            open("GET /leaderboard.json", "/leaderboard.json"),
            open("GET /leaderboard.csv", "/leaderboard.csv"),
            open("GET /compare", "/compare"),
            open("GET /compare.json", "/compare.json"),
            open("GET /compare.csv", "/compare.csv"),
            hidden("GET /compare/cells", "/compare/cells?a=cel_aaaaaaaaaaaaaaaaaaaa&b=cel_bbbbbbbbbbbbbbbbbbbb"),
            hidden(
                    "GET /compare/cells.json",
                    "/compare/cells.json?a=cel_aaaaaaaaaaaaaaaaaaaa&b=cel_bbbbbbbbbbbbbbbbbbbb"),
            hidden(
                    "GET /compare/cells.csv",
                    "/compare/cells.csv?a=cel_aaaaaaaaaaaaaaaaaaaa&b=cel_bbbbbbbbbbbbbbbbbbbb"),
            open("GET /compare/grid", "/compare/grid"),
            open("GET /compare/grid.json", "/compare/grid.json"),
            open("GET /compare/grid.csv", "/compare/grid.csv"),
            open("GET /runs", "/runs"),
            open("GET /runs.json", "/runs.json"),
            hidden("GET /runs/{runId}", "/runs/run_aaaaaaaaaaaaaaaaaaaa"),
            hidden("GET /runs/{runId}.json", "/runs/run_aaaaaaaaaaaaaaaaaaaa.json"),
            hidden("GET /runs/{runId}.csv", "/runs/run_aaaaaaaaaaaaaaaaaaaa.csv"),
            hidden("GET /runs/{runId}/verdicts", "/runs/run_aaaaaaaaaaaaaaaaaaaa/verdicts"),
            hidden("GET /runs/{runId}/verdicts.json", "/runs/run_aaaaaaaaaaaaaaaaaaaa/verdicts.json"),
            hidden("GET /runs/{runId}/verdicts.csv", "/runs/run_aaaaaaaaaaaaaaaaaaaa/verdicts.csv"),
            hidden("GET /trials/{id}", "/trials/trl_aaaaaaaaaaaaaaaaaaaa"),
            hidden("GET /trials/{id}.json", "/trials/trl_aaaaaaaaaaaaaaaaaaaa.json"),
            hidden("GET /trials/{id}.csv", "/trials/trl_aaaaaaaaaaaaaaaaaaaa.csv"),
            hidden("GET /trials/{id}/artefacts/{name}", "/trials/trl_aaaaaaaaaaaaaaaaaaaa/artefacts/stacks.txt"),
            hidden("GET /flames", "/flames?a=cel_aaaaaaaaaaaaaaaaaaaa&b=cel_aaaaaaaaaaaaaaaaaaaa"),
            hidden("GET /flames.json", "/flames.json?a=cel_aaaaaaaaaaaaaaaaaaaa&b=cel_aaaaaaaaaaaaaaaaaaaa"),
            hidden("GET /flames.csv", "/flames.csv"),
            hidden("GET /series/{id}", "/series/ser_aaaaaaaaaaaaaaaaaaaa"),
            hidden("GET /series/{id}.json", "/series/ser_aaaaaaaaaaaaaaaaaaaa.json"),
            hidden("GET /series/{id}.csv", "/series/ser_aaaaaaaaaaaaaaaaaaaa.csv"),
            change("POST /series/{id}/notes", "/series/ser_aaaaaaaaaaaaaaaaaaaa/notes", HIDDEN),
            change(
                    "POST /series/{id}/notes/{note}/remove",
                    "/series/ser_aaaaaaaaaaaaaaaaaaaa/notes/ann_aaaaaaaaaaaaaaaaaaaa/remove",
                    HIDDEN),
            open("GET /regressions", "/regressions"),
            open("GET /regressions.json", "/regressions.json"),
            open("GET /regressions.csv", "/regressions.csv"),
            open("GET /regressions.atom", "/regressions.atom"),
            hidden("GET /regressions/{id}", "/regressions/chg_aaaaaaaaaaaaaaaaaaaa"),
            hidden("GET /regressions/{id}.json", "/regressions/chg_aaaaaaaaaaaaaaaaaaaa.json"),
            // What an owner may do is tested in RegressionPagesTest.
            // And in AskedRerunTest and BisectionPagesTest.
            change("POST /regressions/{id}/rerun", "/regressions/chg_aaaaaaaaaaaaaaaaaaaa/rerun", HIDDEN),
            change("POST /regressions/{id}/bisection", "/regressions/chg_aaaaaaaaaaaaaaaaaaaa/bisection", HIDDEN),
            change(
                    "POST /regressions/{id}/bisection/cancel",
                    "/regressions/chg_aaaaaaaaaaaaaaaaaaaa/bisection/cancel",
                    HIDDEN),
            change("POST /regressions/{id}/triage", "/regressions/chg_aaaaaaaaaaaaaaaaaaaa/triage", HIDDEN),
            open("GET /retractions", "/retractions"),
            open("GET /retractions.json", "/retractions.json"),
            open("GET /retractions.csv", "/retractions.csv"),
            open("GET /retractions.atom", "/retractions.atom"),
            // Only administrators may, and none of these is one: what one does is tested in RetractionPagesTest.
            new Row("POST /retractions", "/retractions", FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN),
            new Row(
                    "POST /retractions/{id}/withdraw",
                    "/retractions/ret_aaaaaaaaaaaaaaaaaaaa/withdraw",
                    FORBIDDEN,
                    FORBIDDEN,
                    FORBIDDEN,
                    FORBIDDEN,
                    FORBIDDEN),
            open("GET /jdks", "/jdks"),
            open("GET /jdks.json", "/jdks.json"),
            hidden("GET /jdks/{feature}", "/jdks/24"),
            hidden("GET /jdks/{feature}.json", "/jdks/24.json"),
            hidden("GET /jdks/{feature}/{build}", "/jdks/24/none"),
            hidden("GET /jdks/{feature}/{build}.json", "/jdks/24/none.json"),
            hidden("GET /runs/{runId}/events", "/runs/run_aaaaaaaaaaaaaaaaaaaa/events"),
            open("GET /methodology", "/methodology"),
            open("GET /methodology.json", "/methodology.json"),
            open("GET /metrics-glossary", "/metrics-glossary"),
            open("GET /metrics-glossary.json", "/metrics-glossary.json"),
            open("GET /api", "/api"),
            open("GET /api.json", "/api.json"),
            open("GET /api/contracts/{file}", "/api/contracts/v1.yaml"),
            open("GET /status", "/status"),
            open("GET /status.json", "/status.json"),
            open("GET /patterns", "/patterns"),
            open("GET /patterns.json", "/patterns.json"),
            open("GET /sign-in", "/sign-in"),
            // Without a form token an anonymous form is refused; that a good one passes is tested in AccountPagesTest.
            new Row("POST /sign-in", "/sign-in", FORBIDDEN, ADMITTED, ADMITTED, ADMITTED, ADMITTED),
            // Who does not wait for a code is sent to sign in.
            new Row("GET /sign-in/code", "/sign-in/code", UNPROVEN, UNPROVEN, UNPROVEN, UNPROVEN, UNPROVEN),
            new Row("POST /sign-in/code", "/sign-in/code", FORBIDDEN, UNPROVEN, UNPROVEN, UNPROVEN, UNPROVEN),
            open("GET /sign-up", "/sign-up"),
            new Row("POST /sign-up", "/sign-up", FORBIDDEN, ADMITTED, ADMITTED, ADMITTED, ADMITTED),
            hidden("GET /sign-up/{token}", "/sign-up/none"),
            new Row("POST /sign-up/{token}", "/sign-up/none", FORBIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN),
            open("GET /reset-password", "/reset-password"),
            new Row("POST /reset-password", "/reset-password", FORBIDDEN, ADMITTED, ADMITTED, ADMITTED, ADMITTED),
            hidden("GET /reset-password/{token}", "/reset-password/none"),
            new Row(
                    "POST /reset-password/{token}",
                    "/reset-password/none",
                    FORBIDDEN,
                    ADMITTED,
                    ADMITTED,
                    ADMITTED,
                    ADMITTED),
            new Row("POST /sign-out", "/sign-out", FORBIDDEN, ADMITTED, ADMITTED, FORBIDDEN, FORBIDDEN),
            new Row("GET /setup/{token}", "/setup/none", HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN),
            new Row("POST /setup/{token}", "/setup/none", FORBIDDEN, ADMITTED, ADMITTED, ADMITTED, ADMITTED),
            person("GET /account", "/account"),
            person("GET /account/tokens", "/account/tokens"),
            new Row("POST /account/tokens", "/account/tokens", FORBIDDEN, ADMITTED, ADMITTED, FORBIDDEN, FORBIDDEN),
            change("POST /account/tokens/{id}/revoke", "/account/tokens/tok_aaaaaaaaaaaaaaaaaaaa/revoke", HIDDEN),
            person("GET /account.json", "/account.json"),
            person("GET /account/two-step", "/account/two-step"),
            new Row("POST /account/two-step", "/account/two-step", FORBIDDEN, ADMITTED, ADMITTED, FORBIDDEN, FORBIDDEN),
            new Row(
                    "POST /account/two-step/confirm",
                    "/account/two-step/confirm",
                    FORBIDDEN,
                    ADMITTED,
                    ADMITTED,
                    FORBIDDEN,
                    FORBIDDEN),
            new Row(
                    "POST /account/two-step/disable",
                    "/account/two-step/disable",
                    FORBIDDEN,
                    ADMITTED,
                    ADMITTED,
                    FORBIDDEN,
                    FORBIDDEN),
            person("GET /account/export.json", "/account/export.json"),
            person("GET /account/delete", "/account/delete"),
            new Row("POST /account/delete", "/account/delete", FORBIDDEN, ADMITTED, ADMITTED, FORBIDDEN, FORBIDDEN),
            change("POST /account/sessions/{id}/revoke", "/account/sessions/ses_aaaaaaaaaaaaaaaaaaaa/revoke", HIDDEN),
            new Row(
                    "POST /account/sessions/revoke-others",
                    "/account/sessions/revoke-others",
                    FORBIDDEN,
                    ADMITTED,
                    ADMITTED,
                    FORBIDDEN,
                    FORBIDDEN),
            new Row("POST /account/password", "/account/password", FORBIDDEN, ADMITTED, ADMITTED, FORBIDDEN, FORBIDDEN),
            open("GET /matrices", "/matrices"),
            open("GET /matrices.json", "/matrices.json"),
            person("GET /matrices/new", "/matrices/new"),
            new Row("POST /matrices/new", "/matrices/new", FORBIDDEN, ADMITTED, ADMITTED, FORBIDDEN, FORBIDDEN),
            open("GET /w/{workspace}/matrices/{slug}", "/w/main/matrices/quick"),
            open("GET /w/{workspace}/matrices/{slug}.json", "/w/main/matrices/quick.json"),
            // A preset is public, so a stranger may know that it is there.
            new Row(
                    "GET /w/{workspace}/matrices/{slug}/edit",
                    "/w/main/matrices/quick/edit",
                    UNPROVEN,
                    ADMITTED,
                    FORBIDDEN,
                    FORBIDDEN,
                    FORBIDDEN),
            new Row(
                    "POST /w/{workspace}/matrices/{slug}/edit",
                    "/w/main/matrices/quick/edit",
                    FORBIDDEN,
                    ADMITTED,
                    FORBIDDEN,
                    FORBIDDEN,
                    FORBIDDEN),
            // A stranger may run it on machines of his own; the answer to naming none is a complaint.
            new Row(
                    "POST /w/{workspace}/matrices/{slug}/run",
                    "/w/main/matrices/quick/run",
                    FORBIDDEN,
                    ADMITTED,
                    ADMITTED,
                    FORBIDDEN,
                    FORBIDDEN),
            change("POST /runs/{runId}/cancel", "/runs/none/cancel", HIDDEN),
            change("POST /runs/{runId}/priority", "/runs/none/priority", HIDDEN),
            token("POST /api/v1/runs", "/api/v1/runs"),
            open("GET /api/v1/runs", "/api/v1/runs?machine=none"),
            open("GET /api/v1/regressions", "/api/v1/regressions"),
            open("GET /api/v1/retractions", "/api/v1/retractions"),
            open("GET /api/v1/comparisons", "/api/v1/comparisons?baseline=none&candidate=other"),
            open("GET /api/v1/comparisons/{axis}", "/api/v1/comparisons/server?baseline=none&candidate=other"),
            new Row("GET /api/v1/runs/{runId}", "/api/v1/runs/none", HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN),
            new Row(
                    "POST /api/agent/v1/claim",
                    "/api/agent/v1/claim?waitSeconds=0",
                    UNPROVEN,
                    FORBIDDEN,
                    FORBIDDEN,
                    ADMITTED,
                    FORBIDDEN),
            agent("POST /api/agent/v1/runs/{runId}/heartbeat", "/api/agent/v1/runs/none/heartbeat"),
            agent("POST /api/agent/v1/runs/{runId}/complete", "/api/agent/v1/runs/none/complete"),
            open("GET /machines", "/machines"),
            open("GET /machines.json", "/machines.json"),
            person("GET /machines/new", "/machines/new"),
            new Row("POST /machines/new", "/machines/new", FORBIDDEN, ADMITTED, ADMITTED, FORBIDDEN, FORBIDDEN),
            new Row("GET /machines/new/{token}", "/machines/new/none", UNPROVEN, HIDDEN, HIDDEN, FORBIDDEN, FORBIDDEN),
            secret("GET /w/{workspace}/machines/{slug}", "/w/main/machines/cast-machine"),
            secret("GET /w/{workspace}/machines/{slug}.json", "/w/main/machines/cast-machine.json"),
            // What an owner may do to a machine is tested in MachinePagesTest: here the cast's must stay as it is.
            change("POST /w/{workspace}/machines/{slug}/revoke", "/w/main/machines/none/revoke", HIDDEN),
            change("POST /w/{workspace}/machines/{slug}/key", "/w/main/machines/none/key", HIDDEN),
            change("POST /w/{workspace}/machines/{slug}/drain", "/w/main/machines/cast-machine/drain", ADMITTED),
            change("POST /w/{workspace}/machines/{slug}/name", "/w/main/machines/cast-machine/name", ADMITTED),
            change("POST /w/{workspace}/machines/{slug}/labels", "/w/main/machines/cast-machine/labels", ADMITTED),
            change(
                    "POST /w/{workspace}/machines/{slug}/visibility",
                    "/w/main/machines/cast-machine/visibility",
                    ADMITTED),
            change("POST /w/{workspace}/machines/{slug}/reruns", "/w/main/machines/cast-machine/reruns", ADMITTED),
            // Only administrators may, and none of these is one; the machine is private, so others do not find it.
            new Row(
                    "POST /w/{workspace}/machines/{slug}/admission",
                    "/w/main/machines/cast-machine/admission",
                    FORBIDDEN,
                    FORBIDDEN,
                    HIDDEN,
                    FORBIDDEN,
                    FORBIDDEN),
            open("GET /schedules", "/schedules"),
            open("GET /schedules.json", "/schedules.json"),
            person("GET /schedules/new", "/schedules/new"),
            person("GET /schedules/new.json", "/schedules/new.json"),
            new Row("POST /schedules/new", "/schedules/new", FORBIDDEN, ADMITTED, ADMITTED, FORBIDDEN, FORBIDDEN),
            person("GET /schedules/preview", "/schedules/preview"),
            person("GET /schedules/preview.json", "/schedules/preview.json"),
            secret("GET /w/{workspace}/schedules/{slug}", "/w/main/schedules/cast-schedule"),
            secret("GET /w/{workspace}/schedules/{slug}.json", "/w/main/schedules/cast-schedule.json"),
            new Row(
                    "GET /w/{workspace}/schedules/{slug}/edit",
                    "/w/main/schedules/cast-schedule/edit",
                    UNPROVEN,
                    ADMITTED,
                    HIDDEN,
                    FORBIDDEN,
                    FORBIDDEN),
            change("POST /w/{workspace}/schedules/{slug}/edit", "/w/main/schedules/cast-schedule/edit", ADMITTED),
            change("POST /w/{workspace}/schedules/{slug}/pause", "/w/main/schedules/cast-schedule/pause", ADMITTED),
            change("POST /w/{workspace}/schedules/{slug}/resume", "/w/main/schedules/cast-schedule/resume", ADMITTED),
            // What comes of these for an owner is tested in SchedulePagesTest: here the cast's must stay as it is.
            change("POST /w/{workspace}/schedules/{slug}/run", "/w/main/schedules/none/run", HIDDEN),
            change("POST /w/{workspace}/schedules/{slug}/control", "/w/main/schedules/cast-schedule/control", ADMITTED),
            change("POST /w/{workspace}/schedules/{slug}/delete", "/w/main/schedules/none/delete", HIDDEN),
            new Row(
                    "POST /api/v1/machines/registration-tokens",
                    "/api/v1/machines/registration-tokens",
                    UNPROVEN,
                    FORBIDDEN,
                    FORBIDDEN,
                    FORBIDDEN,
                    ADMITTED),
            agent("PUT /api/agent/v1/trials/{trialId}/batches/{seq}", "/api/agent/v1/trials/none/batches/0"),
            agent(
                    "PUT /api/agent/v1/trials/{trialId}/artefacts/{name}",
                    "/api/agent/v1/trials/none/artefacts/stacks.txt"),
            open("POST /api/agent/v1/register", "/api/agent/v1/register"),
            agent("PUT /api/agent/v1/key", "/api/agent/v1/key"),
            agent("GET /api/agent/v1/signing-keys", "/api/agent/v1/signing-keys"),
            agent("PUT /api/agent/v1/inventory", "/api/agent/v1/inventory"));

    /** Files named one by one, whose presence is the front end's business. */
    private static final Set<String> SINGLE_FILES = Set.of("GET /favicon.ico", "GET /favicon.svg", "GET /robots.txt");

    private static Row open(String route, String path) {
        return new Row(route, path, ADMITTED, ADMITTED, ADMITTED, ADMITTED, ADMITTED);
    }

    /** Something private of the owner's workspace, read by a path that names it. */
    private static Row secret(String route, String path) {
        return new Row(route, path, HIDDEN, ADMITTED, HIDDEN, ADMITTED, ADMITTED);
    }

    /** A change of something private, which a stranger must not even find. */
    private static Row change(String route, String path, Outcome owner) {
        return new Row(route, path, FORBIDDEN, owner, HIDDEN, FORBIDDEN, FORBIDDEN);
    }

    private static Row token(String route, String path) {
        return new Row(route, path, UNPROVEN, FORBIDDEN, FORBIDDEN, FORBIDDEN, ADMITTED);
    }

    private static Row agent(String route, String path) {
        return new Row(route, path, UNPROVEN, FORBIDDEN, FORBIDDEN, ADMITTED, FORBIDDEN);
    }

    private static Row hidden(String route, String path) {
        return new Row(route, path, HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN);
    }

    private static Row person(String route, String path) {
        return new Row(route, path, UNPROVEN, ADMITTED, ADMITTED, FORBIDDEN, FORBIDDEN);
    }

    @Test
    void controllers_and_the_route_table_name_the_same_routes() {
        Set<String> served = service.bean(RequestMappingHandlerMapping.class).getHandlerMethods().keySet().stream()
                .flatMap(info -> info.getPatternsCondition().getPatterns().stream()
                        .flatMap(pattern -> info.getMethodsCondition().getMethods().stream()
                                .map(method -> method.name() + " " + pattern.getPatternString())))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> listed = Routes.ALL.stream()
                .map(Route::toString)
                .filter(route -> !route.endsWith("/**") && !SINGLE_FILES.contains(route))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(served)
                .as("mappings of controllers, against web/Routes.java")
                .isEqualTo(listed);
    }

    @Test
    void every_mapping_names_its_method() {
        assertThat(service.bean(RequestMappingHandlerMapping.class)
                        .getHandlerMethods()
                        .keySet())
                .allSatisfy(info -> assertThat(info.getMethodsCondition().getMethods())
                        .as(info.toString())
                        .isNotEmpty());
    }

    @Test
    void every_route_has_a_row() {
        Set<String> rows = ROWS.stream().map(Row::route).collect(Collectors.toCollection(TreeSet::new));
        Set<String> listed = Routes.ALL.stream()
                .map(Route::toString)
                .filter(route -> !SINGLE_FILES.contains(route))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(rows).as("rows of this test, against web/Routes.java").isEqualTo(listed);
    }

    @TestFactory
    Stream<DynamicTest> route_meets_role() {
        return ROWS.stream()
                .flatMap(row -> Stream.of(Role.values())
                        .map(role -> DynamicTest.dynamicTest(row.route() + " as " + role, () -> meet(row, role))));
    }

    @Test
    void unknown_path_is_refused_for_everybody() {
        for (Role role : Role.values()) {
            as(role).get().uri("/no/such/path").exchange().expectStatus().isNotFound();
        }
    }

    private void meet(Row row, Role role) {
        EntityExchangeResult<byte[]> result = as(role).method(row.method())
                .uri(row.path())
                .exchange()
                .expectBody()
                .returnResult();
        assertThat(outcome(result))
                .as("%s %s as %s answered %s", row.method(), row.path(), role, result.getStatus())
                .isEqualTo(row.of(role));
    }

    private static Outcome outcome(EntityExchangeResult<byte[]> result) {
        int status = result.getStatus().value();
        var location = result.getResponseHeaders().getLocation();
        if (status >= 500) {
            throw new AssertionError("the service failed with " + status);
        }
        return switch (status) {
            case 401 -> UNPROVEN;
            case 403 -> FORBIDDEN;
            case 404 -> HIDDEN;
            default -> status == 303 && location != null && location.getPath().equals("/sign-in") ? UNPROVEN : ADMITTED;
        };
    }
}
