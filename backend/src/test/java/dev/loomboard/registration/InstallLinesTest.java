package dev.loomboard.registration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.download.Downloads;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Secret;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the page of a new token tells a machine that has no agent. */
final class InstallLinesTest {

    private static final String URL = "https://board.example.org";
    private static final Secret TOKEN = Secret.random("lbr");
    private static final Map<String, String> AGENT = Map.of(
            "install.sh",
            "1".repeat(64),
            "loomboard-agent_1.0_linux_amd64.tar.gz",
            "2".repeat(64),
            "servers.json",
            "3".repeat(64));

    @Test
    void a_bare_machine_gets_a_line_with_the_digest_in_it() {
        Document page = page(InstallLines.of(release(AGENT, List.of("spring-mvc", "spring-webflux")), URL, TOKEN));
        String arguments = "--sha256 " + "5".repeat(64) + " --url https://board.example.org --token " + TOKEN.value();
        String found = "export PATH=\"$PATH:$HOME/.local/bin\"";
        assertThat(page.select(".code code").eachText())
                .containsExactly(
                        "curl -fsSL https://board.example.org/install.sh | sh -s -- " + arguments + " && " + found,
                        "loomboard-agent install-servers --sha256 " + "3".repeat(64) + " spring-mvc spring-webflux",
                        "loomboard-agent run",
                        "wget -qO- https://board.example.org/install.sh | sh -s -- " + arguments + " && " + found,
                        "curl -fsSLO https://board.example.org/install.sh\necho '" + "1".repeat(64)
                                + "  install.sh' | sha256sum -c\nless install.sh\nsh install.sh " + arguments + "\n"
                                + found,
                        "loomboard-agent register --url https://board.example.org --token " + TOKEN.value());
    }

    @Test
    void a_service_without_servers_says_so() {
        Document page = page(InstallLines.of(release(AGENT, List.of()), URL, TOKEN));
        assertThat(page.select(".code code")).hasSize(5);
        assertThat(page.text()).contains("offers no servers");
    }

    @Test
    void a_service_without_a_release_shows_the_way_by_a_clone() {
        Document page = page(InstallLines.of(Downloads.none(), URL, TOKEN));
        assertThat(page.select(".code code").eachText())
                .containsExactly("loomboard-agent register --url https://board.example.org --token " + TOKEN.value());
        assertThat(page.text()).contains("has none to download", "make agent servers");
    }

    private static Downloads release(Map<String, String> digests, List<String> servers) {
        return new Downloads(Path.of("/srv/release"), digests, "5".repeat(64), servers, "");
    }

    private static Document page(@Nullable InstallLines install) {
        WaitingPage page = new WaitingPage(
                "reg_x",
                "main",
                "Bench",
                RegisterCommand.line(URL, TOKEN),
                install,
                TOKEN.last4(),
                Instant.EPOCH,
                null,
                false,
                false);
        PageContext shell = new PageContext(new Caller.Anonymous(), "/machines/new", "", false, () -> "token");
        return Jsoup.parse(new String(
                Objects.requireNonNull(new PageRenderer().show(shell, page).getBody()), StandardCharsets.UTF_8));
    }
}
