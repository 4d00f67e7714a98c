package dev.loomboard.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Caller;
import dev.loomboard.web.request.ErrorPage;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class PageRendererTest {

    @Test
    void text_that_would_look_like_another_is_shown_as_what_it_is() {
        PageContext shell = new PageContext(new Caller.Anonymous(), "/machines", "", false, () -> "token");
        Problem problem = Problem.of(404, "none", "No machine", "slow\u202Efast\u2066 and\u0007 <b>");
        byte[] page = Objects.requireNonNull(
                new PageRenderer().show(shell, new ErrorPage(problem)).getBody());
        assertThat(new String(page, StandardCharsets.UTF_8)).contains("slow\uFFFDfast\uFFFD and? ");
    }

    @Test
    void picture_of_a_shared_link_needs_an_address_that_is_configured() {
        assertThat(head("https://loomboard.example.org"))
                .contains("<meta property=\"og:image\" content=\"https://loomboard.example.org"
                        + FrontEnd.file("social.png") + "\">");
        assertThat(head("")).doesNotContain("og:image");
    }

    private static String head(String site) {
        PageContext shell = new PageContext(new Caller.Anonymous(), "/machines", site, false, () -> "token");
        byte[] page = Objects.requireNonNull(new PageRenderer()
                .show(shell, new ErrorPage(Problem.of(404, "none", "No machine", "none")))
                .getBody());
        return new String(page, StandardCharsets.UTF_8);
    }
}
