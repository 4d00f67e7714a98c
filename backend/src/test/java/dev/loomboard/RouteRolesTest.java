package dev.loomboard;

import static dev.loomboard.RouteRow.administrators;
import static dev.loomboard.RouteRow.admins;
import static dev.loomboard.RouteRow.agent;
import static dev.loomboard.RouteRow.change;
import static dev.loomboard.RouteRow.changeOfNothing;
import static dev.loomboard.RouteRow.formOfOwnersOfMain;
import static dev.loomboard.RouteRow.hidden;
import static dev.loomboard.RouteRow.open;
import static dev.loomboard.RouteRow.ownersForm;
import static dev.loomboard.RouteRow.ownersOfMain;
import static dev.loomboard.RouteRow.ownersPage;
import static dev.loomboard.RouteRow.person;
import static dev.loomboard.RouteRow.personsForm;
import static dev.loomboard.RouteRow.schedulers;
import static dev.loomboard.RouteRow.secret;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.Results;
import dev.loomboard.kit.WebTest;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.web.FrontEnd;
import dev.loomboard.web.Urls;
import dev.loomboard.web.route.Route;
import dev.loomboard.web.route.Routes;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/** Every route × every role. A new route needs its line in {@link Routes} and its row here, or the build fails. */
final class RouteRolesTest extends WebTest {

    private static final List<RouteRow> ROWS = List.of(
            open("GET /robots.txt", "/robots.txt"),
            open("GET /sitemap.xml", "/sitemap.xml"),
            open("GET /files/**", FrontEnd.file("vendor/htmx.min.js")),
            // The tests' service offers none; what one that does hands out is tested in DownloadApiTest.
            hidden("GET /install.sh", "/install.sh"),
            hidden("GET /downloads/{file}", "/downloads/SHA256SUMS"),
            open("GET /api/health", "/api/health"),
            // Nobody whom accounts or tokens of workspaces prove: what its own token gets is tested in MetricsTest.
            new RouteRow("GET /metrics", "/metrics", "? xxx xx xx xxxxxx"),
            open("GET /", "/"),
            open("GET /search", "/search?q=spring"),
            open("GET /search.json", "/search.json?q=spring"),
            open(
                    "GET /badges/{scenario}/{server}/{variant}.svg",
                    Urls.badge(ScenarioText.of(Results.IO).slug(), "spring-mvc", "virtual")),
            open("GET /servers", "/servers"),
            open("GET /servers.json", "/servers.json"),
            open("GET /servers/{server}", "/servers/spring-mvc"),
            open("GET /servers/{server}.json", "/servers/spring-mvc.json"),
            open("GET /servers/{server}/{variant}", "/servers/spring-mvc/virtual"),
            open("GET /servers/{server}/{variant}.json", "/servers/spring-mvc/virtual.json"),
            person("GET /first-steps", "/first-steps"),
            open("GET /leaderboard", "/leaderboard"),
            open("GET /leaderboard.json", "/leaderboard.json"),
            open("GET /leaderboard.csv", "/leaderboard.csv"),
            open("GET /leaderboard.svg", "/leaderboard.svg"),
            open("GET /leaderboard/{scenario}", Results.board(Results.IO)),
            open("GET /leaderboard/{scenario}.json", Results.board(Results.IO) + ".json"),
            open("GET /leaderboard/{scenario}.csv", Results.board(Results.IO) + ".csv"),
            open("GET /leaderboard/{scenario}.svg", Results.board(Results.IO) + ".svg"),
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
            hidden(
                    "GET /compare/cells.svg",
                    "/compare/cells.svg?a=cel_aaaaaaaaaaaaaaaaaaaa&b=cel_bbbbbbbbbbbbbbbbbbbb"),
            open("GET /compare/grid", "/compare/grid"),
            open("GET /compare/grid.json", "/compare/grid.json"),
            open("GET /compare/grid.csv", "/compare/grid.csv"),
            open("GET /runs", "/runs"),
            open("GET /runs.json", "/runs.json"),
            hidden("GET /runs/months/{month}", "/runs/months/1999-01"),
            hidden("GET /runs/months/{month}.json", "/runs/months/1999-01.json"),
            hidden("GET /runs/{runId}", "/runs/run_aaaaaaaaaaaaaaaaaaaa"),
            hidden("GET /runs/{runId}.json", "/runs/run_aaaaaaaaaaaaaaaaaaaa.json"),
            hidden("GET /runs/{runId}.csv", "/runs/run_aaaaaaaaaaaaaaaaaaaa.csv"),
            hidden("GET /runs/{runId}/matrix.yaml", "/runs/run_aaaaaaaaaaaaaaaaaaaa/matrix.yaml"),
            hidden("GET /runs/{runId}/bundle", "/runs/run_aaaaaaaaaaaaaaaaaaaa/bundle"),
            ownersPage("GET /runs/import", "/runs/import"),
            ownersForm("POST /runs/import", "/runs/import"),
            hidden("GET /api/v1/runs/{runId}/bundle", "/api/v1/runs/run_aaaaaaaaaaaaaaaaaaaa/bundle"),
            new RouteRow("POST /api/v1/bundles", "/api/v1/bundles", "? xxx xx xx +x+xx+"),
            hidden("GET /runs/{runId}/verdicts", "/runs/run_aaaaaaaaaaaaaaaaaaaa/verdicts"),
            hidden("GET /runs/{runId}/verdicts.json", "/runs/run_aaaaaaaaaaaaaaaaaaaa/verdicts.json"),
            hidden("GET /runs/{runId}/verdicts.csv", "/runs/run_aaaaaaaaaaaaaaaaaaaa/verdicts.csv"),
            hidden("GET /trials/{id}", "/trials/trl_aaaaaaaaaaaaaaaaaaaa"),
            hidden("GET /trials/{id}.json", "/trials/trl_aaaaaaaaaaaaaaaaaaaa.json"),
            hidden("GET /trials/{id}.csv", "/trials/trl_aaaaaaaaaaaaaaaaaaaa.csv"),
            hidden("GET /trials/{id}.svg", "/trials/trl_aaaaaaaaaaaaaaaaaaaa.svg"),
            hidden("GET /trials/{id}/artefacts/{name}", "/trials/trl_aaaaaaaaaaaaaaaaaaaa/artefacts/stacks.txt"),
            hidden("GET /flames", "/flames?a=cel_aaaaaaaaaaaaaaaaaaaa&b=cel_aaaaaaaaaaaaaaaaaaaa"),
            hidden("GET /flames.json", "/flames.json?a=cel_aaaaaaaaaaaaaaaaaaaa&b=cel_aaaaaaaaaaaaaaaaaaaa"),
            hidden("GET /flames.csv", "/flames.csv"),
            hidden("GET /series/{id}", "/series/ser_aaaaaaaaaaaaaaaaaaaa"),
            hidden("GET /series/{id}.json", "/series/ser_aaaaaaaaaaaaaaaaaaaa.json"),
            hidden("GET /series/{id}.csv", "/series/ser_aaaaaaaaaaaaaaaaaaaa.csv"),
            hidden("GET /series/{id}.svg", "/series/ser_aaaaaaaaaaaaaaaaaaaa.svg"),
            changeOfNothing("POST /series/{id}/notes", "/series/ser_aaaaaaaaaaaaaaaaaaaa/notes"),
            changeOfNothing(
                    "POST /series/{id}/notes/{note}/remove",
                    "/series/ser_aaaaaaaaaaaaaaaaaaaa/notes/ann_aaaaaaaaaaaaaaaaaaaa/remove"),
            open("GET /regressions", "/regressions"),
            open("GET /regressions.json", "/regressions.json"),
            open("GET /regressions.csv", "/regressions.csv"),
            open("GET /regressions.atom", "/regressions.atom"),
            hidden("GET /regressions/{id}", "/regressions/chg_aaaaaaaaaaaaaaaaaaaa"),
            hidden("GET /regressions/{id}.json", "/regressions/chg_aaaaaaaaaaaaaaaaaaaa.json"),
            // What an owner may do is tested in RegressionPagesTest.
            // And in AskedRerunTest, DefaultRerunTest and BisectionPagesTest.
            changeOfNothing("POST /regressions/{id}/rerun", "/regressions/chg_aaaaaaaaaaaaaaaaaaaa/rerun"),
            changeOfNothing(
                    "POST /regressions/{id}/default-rerun", "/regressions/chg_aaaaaaaaaaaaaaaaaaaa/default-rerun"),
            changeOfNothing("POST /regressions/{id}/bisection", "/regressions/chg_aaaaaaaaaaaaaaaaaaaa/bisection"),
            changeOfNothing(
                    "POST /regressions/{id}/bisection/cancel",
                    "/regressions/chg_aaaaaaaaaaaaaaaaaaaa/bisection/cancel"),
            changeOfNothing("POST /regressions/{id}/triage", "/regressions/chg_aaaaaaaaaaaaaaaaaaaa/triage"),
            open("GET /retractions", "/retractions"),
            open("GET /retractions.json", "/retractions.json"),
            open("GET /retractions.csv", "/retractions.csv"),
            open("GET /retractions.atom", "/retractions.atom"),
            // What an administrator does is tested in RetractionPagesTest.
            new RouteRow("POST /retractions", "/retractions", "x xxx x+ xx xxxxxx"),
            new RouteRow(
                    "POST /retractions/{id}/withdraw",
                    "/retractions/ret_aaaaaaaaaaaaaaaaaaaa/withdraw",
                    "x xxx x+ xx xxxxxx"),
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
            // Without a form token an anonymous form is refused; that a good one passes is tested in SignInPagesTest.
            new RouteRow("POST /sign-in", "/sign-in", "x +++ ++ ++ ++++++"),
            // Who does not wait for a code is sent to sign in.
            new RouteRow("GET /sign-in/code", "/sign-in/code", "? ??? ?? ?? ??????"),
            new RouteRow("POST /sign-in/code", "/sign-in/code", "x ??? ?? ?? ??????"),
            // To the provider of the tests; what comes back is tested in OpenIdPagesTest.
            open("GET /sign-in/openid", "/sign-in/openid"),
            open("GET /sign-in/openid/callback", "/sign-in/openid/callback"),
            open("GET /sign-up", "/sign-up"),
            new RouteRow("POST /sign-up", "/sign-up", "x +++ ++ ++ ++++++"),
            hidden("GET /sign-up/{token}", "/sign-up/none"),
            new RouteRow("POST /sign-up/{token}", "/sign-up/none", "x --- -- -- ------"),
            open("GET /reset-password", "/reset-password"),
            new RouteRow("POST /reset-password", "/reset-password", "x +++ ++ ++ ++++++"),
            hidden("GET /reset-password/{token}", "/reset-password/none"),
            new RouteRow("POST /reset-password/{token}", "/reset-password/none", "x +++ ++ ++ ++++++"),
            personsForm("POST /sign-out", "/sign-out"),
            hidden("GET /setup/{token}", "/setup/none"),
            new RouteRow("POST /setup/{token}", "/setup/none", "x +++ ++ ++ ++++++"),
            person("GET /account", "/account"),
            person("GET /account/mails", "/account/mails"),
            changeOfNothing("POST /account/mails", "/account/mails"),
            changeOfNothing("POST /account/mails/test", "/account/mails/test"),
            hidden("GET /unsubscribe/{link}", "/unsubscribe/none"),
            // Of a mail program, which has no form token: the signature in the path is the proof.
            hidden("POST /unsubscribe/{link}", "/unsubscribe/none"),
            person("GET /account/tokens", "/account/tokens"),
            personsForm("POST /account/tokens", "/account/tokens"),
            changeOfNothing("POST /account/tokens/{id}/revoke", "/account/tokens/tok_aaaaaaaaaaaaaaaaaaaa/revoke"),
            person("GET /account.json", "/account.json"),
            person("GET /account/two-step", "/account/two-step"),
            personsForm("POST /account/two-step", "/account/two-step"),
            personsForm("POST /account/two-step/confirm", "/account/two-step/confirm"),
            personsForm("POST /account/two-step/disable", "/account/two-step/disable"),
            person("GET /account/openid", "/account/openid"),
            personsForm("POST /account/openid", "/account/openid"),
            personsForm("POST /account/openid/unlink", "/account/openid/unlink"),
            person("GET /account/openid/prove", "/account/openid/prove"),
            person("GET /account/export.json", "/account/export.json"),
            person("GET /account/delete", "/account/delete"),
            personsForm("POST /account/delete", "/account/delete"),
            changeOfNothing("POST /account/sessions/{id}/revoke", "/account/sessions/ses_aaaaaaaaaaaaaaaaaaaa/revoke"),
            personsForm("POST /account/sessions/revoke-others", "/account/sessions/revoke-others"),
            personsForm("POST /account/password", "/account/password"),
            person("GET /workspaces", "/workspaces"),
            person("GET /workspaces.json", "/workspaces.json"),
            personsForm("POST /workspaces", "/workspaces"),
            personsForm("POST /workspaces/choose", "/workspaces/choose"),
            open("GET /w/{workspace}", "/w/main"),
            new RouteRow("GET /w/{workspace}", "/w/cast-closed", "- ++- -- -- ------"),
            open("GET /w/{workspace}.json", "/w/main.json"),
            new RouteRow("GET /w/{workspace}.json", "/w/cast-closed.json", "- ++- -- -- ------"),
            ownersOfMain("GET /w/{workspace}/settings", "/w/main/settings"),
            // What an owner changes is tested in WorkspacePagesTest: these forms are empty.
            formOfOwnersOfMain("POST /w/{workspace}/settings", "/w/main/settings"),
            formOfOwnersOfMain("POST /w/{workspace}/visibility", "/w/main/visibility"),
            formOfOwnersOfMain("POST /w/{workspace}/delete", "/w/main/delete"),
            new RouteRow("GET /w/{workspace}/members", "/w/main/members", "? +++ xx xx xxxxxx"),
            new RouteRow("GET /w/{workspace}/members", "/w/cast-closed/members", "? ++- -- xx xxxxxx"),
            new RouteRow("GET /w/{workspace}/members.json", "/w/main/members.json", "? +++ xx xx xxxxxx"),
            formOfOwnersOfMain(
                    "POST /w/{workspace}/members/{account}/role", "/w/main/members/acc_aaaaaaaaaaaaaaaaaaaa/role"),
            new RouteRow(
                    "POST /w/{workspace}/members/{account}/remove",
                    "/w/main/members/acc_aaaaaaaaaaaaaaaaaaaa/remove",
                    "x xx- xx xx xxxxxx"),
            changeOfNothing("POST /w/{workspace}/leave", "/w/none/leave"),
            formOfOwnersOfMain("POST /w/{workspace}/invitations", "/w/main/invitations"),
            new RouteRow(
                    "POST /w/{workspace}/invitations/{id}/revoke",
                    "/w/main/invitations/inv_aaaaaaaaaaaaaaaaaaaa/revoke",
                    "x xx- xx xx xxxxxx"),
            ownersOfMain("GET /w/{workspace}/webhooks", "/w/main/webhooks"),
            formOfOwnersOfMain("POST /w/{workspace}/webhooks", "/w/main/webhooks"),
            changeOfNothing(
                    "POST /w/{workspace}/webhooks/{id}/remove", "/w/none/webhooks/whk_aaaaaaaaaaaaaaaaaaaa/remove"),
            changeOfNothing("POST /w/{workspace}/webhooks/{id}/test", "/w/none/webhooks/whk_aaaaaaaaaaaaaaaaaaaa/test"),
            changeOfNothing(
                    "POST /w/{workspace}/webhooks/messages/{message}/again",
                    "/w/none/webhooks/messages/out_aaaaaaaaaaaaaaaaaaaa/again"),
            hidden("GET /invitations/{token}", "/invitations/none"),
            changeOfNothing("POST /invitations/{token}", "/invitations/none"),
            ownersOfMain("GET /w/{workspace}/audit", "/w/main/audit"),
            ownersOfMain("GET /w/{workspace}/audit.json", "/w/main/audit.json"),
            ownersOfMain("GET /w/{workspace}/audit.csv", "/w/main/audit.csv"),
            administrators("GET /audit", "/audit"),
            administrators("GET /audit.json", "/audit.json"),
            administrators("GET /audit.csv", "/audit.csv"),
            person("GET /hidden", "/hidden"),
            person("GET /hidden.json", "/hidden.json"),
            new RouteRow("POST /hidden", "/hidden", "x xxx x+ xx xxxxxx"),
            new RouteRow("POST /hidden/{id}/show", "/hidden/hid_aaaaaaaaaaaaaaaaaaaa/show", "x xxx x- xx xxxxxx"),
            open("GET /matrices", "/matrices"),
            open("GET /matrices.json", "/matrices.json"),
            ownersPage("GET /matrices/new", "/matrices/new"),
            ownersForm("POST /matrices/new", "/matrices/new"),
            ownersPage("GET /matrices/new/draft", "/matrices/new/draft"),
            open("GET /w/{workspace}/matrices/{slug}", "/w/main/matrices/starter"),
            open("GET /w/{workspace}/matrices/{slug}.json", "/w/main/matrices/starter.json"),
            // A preset is public, so a stranger may know that it is there.
            ownersOfMain("GET /w/{workspace}/matrices/{slug}/edit", "/w/main/matrices/starter/edit"),
            formOfOwnersOfMain("POST /w/{workspace}/matrices/{slug}/edit", "/w/main/matrices/starter/edit"),
            // A stranger may run it on machines of his own; the answer to naming none is a complaint.
            personsForm("POST /w/{workspace}/matrices/{slug}/run", "/w/main/matrices/starter/run"),
            changeOfNothing("POST /runs/{runId}/cancel", "/runs/none/cancel"),
            changeOfNothing("POST /runs/{runId}/retry", "/runs/none/retry"),
            changeOfNothing("POST /runs/{runId}/priority", "/runs/none/priority"),
            new RouteRow("POST /api/v1/runs", "/api/v1/runs", "? xxx xx xx +x+xx+"),
            open("GET /api/v1/runs", "/api/v1/runs?machine=none"),
            open("GET /api/v1/regressions", "/api/v1/regressions"),
            open("GET /api/v1/retractions", "/api/v1/retractions"),
            open("GET /api/v1/comparisons", "/api/v1/comparisons?baseline=none&candidate=other"),
            open("GET /api/v1/comparisons/{axis}", "/api/v1/comparisons/server?baseline=none&candidate=other"),
            hidden("GET /api/v1/runs/{runId}", "/api/v1/runs/none"),
            agent("POST /api/agent/v1/claim", "/api/agent/v1/claim?waitSeconds=0"),
            agent("POST /api/agent/v1/runs/{runId}/heartbeat", "/api/agent/v1/runs/none/heartbeat"),
            agent("POST /api/agent/v1/runs/{runId}/complete", "/api/agent/v1/runs/none/complete"),
            open("GET /machines", "/machines"),
            open("GET /machines.json", "/machines.json"),
            ownersPage("GET /machines/new", "/machines/new"),
            ownersForm("POST /machines/new", "/machines/new"),
            new RouteRow("GET /machines/new/{token}", "/machines/new/none", "? --- -- xx xxxxxx"),
            secret("GET /w/{workspace}/machines/{slug}", "/w/main/machines/cast-machine"),
            secret("GET /w/{workspace}/machines/{slug}.json", "/w/main/machines/cast-machine.json"),
            hidden("GET /w/{workspace}/machines/{slug}.svg", "/w/main/machines/cast-machine.svg"), // has no chart
            // What an owner may do to a machine is tested in MachinePagesTest: here the cast's must stay as it is.
            changeOfNothing("POST /w/{workspace}/machines/{slug}/revoke", "/w/main/machines/none/revoke"),
            changeOfNothing("POST /w/{workspace}/machines/{slug}/key", "/w/main/machines/none/key"),
            change("POST /w/{workspace}/machines/{slug}/drain", "/w/main/machines/cast-machine/drain"),
            change("POST /w/{workspace}/machines/{slug}/name", "/w/main/machines/cast-machine/name"),
            change("POST /w/{workspace}/machines/{slug}/labels", "/w/main/machines/cast-machine/labels"),
            change("POST /w/{workspace}/machines/{slug}/visibility", "/w/main/machines/cast-machine/visibility"),
            change("POST /w/{workspace}/machines/{slug}/reruns", "/w/main/machines/cast-machine/reruns"),
            // Only administrators may; the machine is private, so others, they among them, do not find it.
            new RouteRow(
                    "POST /w/{workspace}/machines/{slug}/admission",
                    "/w/main/machines/cast-machine/admission",
                    "x xxx -- xx xxxxxx"),
            open("GET /schedules", "/schedules"),
            open("GET /schedules.json", "/schedules.json"),
            ownersPage("GET /schedules/new", "/schedules/new"),
            ownersPage("GET /schedules/new.json", "/schedules/new.json"),
            ownersForm("POST /schedules/new", "/schedules/new"),
            person("GET /schedules/preview", "/schedules/preview"),
            person("GET /schedules/preview.json", "/schedules/preview.json"),
            secret("GET /w/{workspace}/schedules/{slug}", "/w/main/schedules/cast-schedule"),
            secret("GET /w/{workspace}/schedules/{slug}.json", "/w/main/schedules/cast-schedule.json"),
            new RouteRow(
                    "GET /w/{workspace}/schedules/{slug}/edit",
                    "/w/main/schedules/cast-schedule/edit",
                    "? xx+ -- xx xxxxxx"),
            change("POST /w/{workspace}/schedules/{slug}/edit", "/w/main/schedules/cast-schedule/edit"),
            change("POST /w/{workspace}/schedules/{slug}/pause", "/w/main/schedules/cast-schedule/pause"),
            change("POST /w/{workspace}/schedules/{slug}/resume", "/w/main/schedules/cast-schedule/resume"),
            // What comes of these for an owner is tested in SchedulePagesTest: here the cast's must stay as it is.
            changeOfNothing("POST /w/{workspace}/schedules/{slug}/run", "/w/main/schedules/none/run"),
            change("POST /w/{workspace}/schedules/{slug}/control", "/w/main/schedules/cast-schedule/control"),
            changeOfNothing("POST /w/{workspace}/schedules/{slug}/delete", "/w/main/schedules/none/delete"),
            new RouteRow(
                    "POST /api/v1/machines/registration-tokens",
                    "/api/v1/machines/registration-tokens",
                    "? xxx xx xx +xx+x+"),
            // What comes of these is tested in ScheduleContractTest and AdministrationContractTest: here nothing is
            // there.
            admins("POST /api/v1/machines/{slug}/drain", "/api/v1/machines/none/drain", '+'),
            admins("POST /api/v1/machines/{slug}/retire", "/api/v1/machines/none/retire", '-'),
            admins("GET /api/v1/audit", "/api/v1/audit", '+'),
            schedulers("POST /api/v1/schedules", "/api/v1/schedules", '+'),
            schedulers("PUT /api/v1/schedules/{slug}", "/api/v1/schedules/none", '+'),
            schedulers("POST /api/v1/schedules/{slug}/pause", "/api/v1/schedules/none/pause", '-'),
            schedulers("POST /api/v1/schedules/{slug}/resume", "/api/v1/schedules/none/resume", '-'),
            schedulers("POST /api/v1/schedules/{slug}/run", "/api/v1/schedules/none/run", '-'),
            agent("PUT /api/agent/v1/trials/{trialId}/batches/{seq}", "/api/agent/v1/trials/none/batches/0"),
            agent(
                    "PUT /api/agent/v1/trials/{trialId}/artefacts/{name}",
                    "/api/agent/v1/trials/none/artefacts/stacks.txt"),
            open("GET /api/agent/v1/features", "/api/agent/v1/features"),
            open("POST /api/agent/v1/register", "/api/agent/v1/register"),
            agent("PUT /api/agent/v1/key", "/api/agent/v1/key"),
            agent("GET /api/agent/v1/signing-keys", "/api/agent/v1/signing-keys"),
            agent("GET /api/agent/v1/server-list", "/api/agent/v1/server-list"),
            agent("GET /api/agent/v1/needed-builds", "/api/agent/v1/needed-builds"),
            agent("PUT /api/agent/v1/jdk-progress", "/api/agent/v1/jdk-progress"),
            agent("GET /api/agent/v1/jdk-flags", "/api/agent/v1/jdk-flags"),
            agent("PUT /api/agent/v1/jdk-flags/{build}", "/api/agent/v1/jdk-flags/none"),
            agent("PUT /api/agent/v1/inventory", "/api/agent/v1/inventory"));

    /** Files named one by one, whose presence is the front end's business. */
    private static final Set<String> SINGLE_FILES = Set.of("GET /favicon.ico", "GET /favicon.svg");

    private final Map<Role, WebTestClient> callers = new EnumMap<>(Role.class);

    @BeforeEach
    void appoint() {
        cast.administers(true);
    }

    @AfterEach
    void dismiss() {
        cast.administers(false);
    }

    @BeforeAll
    static void results() {
        Results.shared();
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
                .as("mappings of controllers, against web/route/Routes.java")
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
        Set<String> rows = ROWS.stream().map(RouteRow::route).collect(Collectors.toCollection(TreeSet::new));
        Set<String> listed = Routes.ALL.stream()
                .map(Route::toString)
                .filter(route -> !SINGLE_FILES.contains(route))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(rows).as("rows of this test, against web/route/Routes.java").isEqualTo(listed);
    }

    @TestFactory
    Stream<DynamicTest> route_meets_role() {
        return ROWS.stream()
                .flatMap(row -> Stream.of(Role.values())
                        .map(role -> DynamicTest.dynamicTest(
                                row.route() + " at " + row.path() + " as " + role, () -> meet(row, role))));
    }

    @Test
    void unknown_path_is_refused_for_everybody() {
        for (Role role : Role.values()) {
            as(role).get().uri("/no/such/path").exchange().expectStatus().isNotFound();
        }
    }

    private void meet(RouteRow row, Role role) {
        EntityExchangeResult<byte[]> result = caller(row, role)
                .method(row.method())
                .uri(row.path())
                .exchange()
                .expectBody()
                .returnResult();
        assertThat(RouteRow.Outcome.of(result))
                .as("%s %s as %s answered %s", row.method(), row.path(), role, result.getStatus())
                .isEqualTo(row.of(role));
    }

    /** The same session for all routes, but for the one that ends it. */
    private WebTestClient caller(RouteRow row, Role role) {
        return row.route().equals("POST /sign-out") ? as(role) : callers.computeIfAbsent(role, this::as);
    }
}
