package dev.loomboard.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

final class AtomTest {

    @Test
    void feed_with_characters_that_xml_does_not_have_can_be_read() throws Exception {
        Instant at = Instant.parse("2026-11-21T02:00:00Z");
        byte[] feed = Atom.feed(
                "https://board.example.org",
                "regressions",
                "/regressions.atom",
                "/regressions",
                List.of(new Atom.Entry(
                        "chg_1", "slow\u0007 \u202Efast", "/regressions/chg_1", at, at, "a machine's own words")));
        var document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(feed));
        assertThat(document.getElementsByTagName("title").item(1).getTextContent())
                .isEqualTo("slow? \uFFFDfast");
    }
}
