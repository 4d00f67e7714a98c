package dev.loomboard.about;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.view.MarkedText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class GlossaryTest {

    @Test
    void terms_are_those_of_the_file_without_its_markup() {
        String file = """
                # Glossary
                | term | meaning | in the code |
                |---|---|---|
                | **suspect (trial)** | In doubt: `wide` or **odd**, *slow*. | a.B |
                | word | meaning | classes |
                """;
        assertThat(Glossary.of(file))
                .containsExactly(new Glossary.Term("suspect (trial)", "In doubt: `wide` or odd, slow."));
        Glossary.Term term = Glossary.of(file).getFirst();
        assertThat(term.anchor()).isEqualTo("term-suspect-trial");
        assertThat(MarkedText.pieces(term.meaning()))
                .containsExactly(
                        new MarkedText.Piece("In doubt: ", false),
                        new MarkedText.Piece("wide", true),
                        new MarkedText.Piece(" or odd, slow.", false));
    }

    @Test
    void program_holds_the_file_as_it_is() throws IOException {
        assertThat(Glossary.terms())
                .hasSizeGreaterThan(60)
                .isEqualTo(Glossary.of(Files.readString(Path.of("../GLOSSARY.md"))))
                .extracting(Glossary.Term::anchor)
                .doesNotHaveDuplicates();
    }
}
