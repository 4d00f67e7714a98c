package dev.loomboard.view;

import dev.loomboard.kernel.Characters;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** A feed as Atom (RFC 4287). */
public final class Atom {

    public static final String MEDIA_TYPE = "application/atom+xml;charset=UTF-8";

    private static final String NAMESPACE = "http://www.w3.org/2005/Atom";

    private final XMLStreamWriter xml;
    private final String site;

    private Atom(XMLStreamWriter xml, String site) {
        this.xml = xml;
        this.site = site;
    }

    /**
     * @param id external id of its subject: the entry's own id is made of it alone, so it never changes, whatever the
     *     service is called
     * @param path of its page
     */
    public record Entry(String id, String title, String path, Instant published, Instant updated, String summary) {}

    /**
     * @param site scheme, host and port, as others reach the service; empty: not known, and links are relative to the feed
     * @param self path of the feed
     * @param page path of the page with the same
     */
    public static byte[] feed(String site, String title, String self, String page, List<Entry> entries) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            XMLStreamWriter xml =
                    XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(bytes, StandardCharsets.UTF_8.name());
            new Atom(xml, site).write(title, self, page, entries);
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("the feed cannot be written", e);
        }
        byte[] feed = bytes.toByteArray();
        Characters.expose(feed); // XML has no control characters at all: one would cost the reader the whole feed
        return feed;
    }

    private void write(String title, String self, String page, List<Entry> entries) throws XMLStreamException {
        xml.writeStartDocument("UTF-8", "1.0");
        xml.writeStartElement("feed");
        xml.writeDefaultNamespace(NAMESPACE);
        element("id", site.isEmpty() ? urn(self) : site + self);
        element("title", "Loomboard: " + title);
        element(
                "updated",
                entries.stream()
                        .map(Entry::updated)
                        .max(Comparator.naturalOrder())
                        .orElse(Instant.EPOCH)
                        .toString());
        link("self", site + self);
        link("alternate", site + page);
        xml.writeStartElement("author");
        element("name", "Loomboard");
        xml.writeEndElement();
        for (Entry entry : entries) {
            entry(entry);
        }
        xml.writeEndElement();
        xml.writeEndDocument();
    }

    private void entry(Entry entry) throws XMLStreamException {
        xml.writeStartElement("entry");
        element("id", urn(entry.id()));
        element("title", entry.title());
        element("published", entry.published().toString());
        element("updated", entry.updated().toString());
        link("alternate", site + entry.path());
        element("summary", entry.summary());
        xml.writeEndElement();
    }

    private static String urn(String name) {
        return "urn:uuid:" + UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
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
