package dev.loomboard.regression;

import dev.loomboard.compare.Said;
import dev.loomboard.web.Urls;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Confirmed regressions as Atom (RFC 4287). An entry's id never changes, whatever the service is called. */
final class Feed {

    static final int MOST = 100;

    private static final String NAMESPACE = "http://www.w3.org/2005/Atom";

    private final XMLStreamWriter xml;
    private final String site;

    private Feed(XMLStreamWriter xml, String site) {
        this.xml = xml;
        this.site = site;
    }

    /** @param site scheme, host and port, as others reach the service */
    static byte[] of(List<Regression> regressions, String site) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            XMLStreamWriter xml =
                    XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(bytes, StandardCharsets.UTF_8.name());
            new Feed(xml, site).write(regressions);
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("the feed cannot be written", e);
        }
        return bytes.toByteArray();
    }

    private void write(List<Regression> regressions) throws XMLStreamException {
        xml.writeStartDocument("UTF-8", "1.0");
        xml.writeStartElement("feed");
        xml.writeDefaultNamespace(NAMESPACE);
        element("id", site + Urls.regressionFeed());
        element("title", "Loomboard: confirmed regressions");
        element(
                "updated",
                regressions.stream()
                        .map(Feed::updated)
                        .max(Comparator.naturalOrder())
                        .orElse(Instant.EPOCH)
                        .toString());
        link("self", site + Urls.regressionFeed());
        link("alternate", site + Urls.regressions());
        xml.writeStartElement("author");
        element("name", "Loomboard");
        xml.writeEndElement();
        for (Regression regression : regressions) {
            entry(regression);
        }
        xml.writeEndElement();
        xml.writeEndDocument();
    }

    private void entry(Regression r) throws XMLStreamException {
        xml.writeStartElement("entry");
        element("id", "urn:uuid:" + UUID.nameUUIDFromBytes(r.id().getBytes(StandardCharsets.UTF_8)));
        element("title", r.headline());
        element("published", r.detectedAt().toString());
        element("updated", updated(r).toString());
        link("alternate", site + Urls.regression(r.id()));
        element("summary", summary(r));
        xml.writeEndElement();
    }

    private static String summary(Regression r) {
        Said said = r.said();
        String verdict = said == null || said.verdict() == null
                ? ""
                : " Rerun: " + said.verdict() + (r.interval() == null ? "" : " (95 %: " + r.interval() + ")") + ", "
                        + said.basis() + ".";
        return r.cell().scenario().words() + " on " + r.cell().machineName() + ", "
                + r.good().slug() + " against " + r.build().slug() + ". History: " + r.levels() + "." + verdict + " "
                + Sentence.of(r.sureness());
    }

    private static Instant updated(Regression r) {
        return Objects.requireNonNullElse(r.decidedAt(), r.detectedAt());
    }

    private void element(String name, String text) throws XMLStreamException {
        xml.writeStartElement(name);
        xml.writeCharacters(text);
        xml.writeEndElement();
    }

    private void link(String rel, String href) throws XMLStreamException {
        xml.writeEmptyElement("link");
        xml.writeAttribute("rel", rel);
        xml.writeAttribute("href", href);
    }
}
