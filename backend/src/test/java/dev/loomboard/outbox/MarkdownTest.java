package dev.loomboard.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What others named must not become mark-up, links or calls of people in somebody's tracker. */
final class MarkdownTest {

    @Test
    void name_is_code_whatever_it_holds() {
        assertThat(Markdown.name("Bench 1")).isEqualTo("`Bench 1`");
        assertThat(Markdown.name("a`b")).isEqualTo("`` a`b ``");
        assertThat(Markdown.name("``@octocat``")).isEqualTo("``` ``@octocat`` ```");
        assertThat(Markdown.name("a\n# b")).isEqualTo("`a # b`");
        assertThat(Markdown.name(" ")).isEmpty();
    }

    @Test
    void marks_in_a_sentence_are_no_marks() {
        assertThat(Markdown.escaped("+5.2 % (95 % interval +4.1 % to +6.3 %)"))
                .isEqualTo("+5.2 % (95 % interval +4.1 % to +6.3 %)");
        assertThat(Markdown.escaped("a_b *c* [d](e) <img> | \\ `f`"))
                .isEqualTo("a\\_b \\*c\\* \\[d\\](e) \\<img\\> \\| \\\\ \\`f\\`");
        assertThat(Markdown.escaped("@octocat, see #1")).isEqualTo("@<!-- -->octocat, see #<!-- -->1");
    }
}
