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
        PageContext shell = new PageContext(new Caller.Anonymous(), "/machines", false, () -> "token");
        Problem problem = Problem.of(404, "none", "No machine", "slow\u202Efast\u2066 and\u0007 <b>");
        byte[] page = Objects.requireNonNull(
                new PageRenderer().show(shell, new ErrorPage(problem)).getBody());
        assertThat(new String(page, StandardCharsets.UTF_8)).contains("slow\uFFFDfast\uFFFD and? ");
    }
}
