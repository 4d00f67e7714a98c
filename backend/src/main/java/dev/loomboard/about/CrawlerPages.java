package dev.loomboard.about;

import dev.loomboard.web.PublicUrl;
import dev.loomboard.web.Urls;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import reactor.core.publisher.Mono;

/** What search engines ask for: which addresses are worth a visit, and what there is. */
@Controller
class CrawlerPages {

    /** A filter, an order or a part of a page is no other page, and they are without end. */
    private static final String ROBOTS = """
            User-agent: *
            Disallow: /*?
            Disallow: /*.json$
            Disallow: /*.csv$
            Disallow: /leaderboard*.svg$
            Disallow: /series/*.svg$
            Disallow: /api/
            Disallow: /downloads/
            Disallow: /runs/*/bundle
            Disallow: /trials/*/artefacts/
            Sitemap: %s
            """;

    private static final String NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

    private static final List<String> PAGES = List.of(
            Urls.servers(),
            Urls.jdks(),
            Urls.machines(),
            Urls.matrices(),
            Urls.runs(),
            Urls.regressions(),
            Urls.retractions(),
            Urls.methodology(),
            Urls.glossary(),
            Urls.api(),
            Urls.status());

    private final SitemapStore store;
    private final PublicUrl url;

    CrawlerPages(SitemapStore store, PublicUrl url) {
        this.store = store;
        this.url = url;
    }

    @GetMapping("/robots.txt")
    ResponseEntity<String> robots(ServerHttpRequest request) {
        return ResponseEntity.ok()
                .contentType(MediaType.TEXT_PLAIN)
                .body(ROBOTS.formatted(url.of(request) + "/sitemap.xml"));
    }

    /** As sitemaps.org has it (0.9). */
    @GetMapping("/sitemap.xml")
    Mono<ResponseEntity<byte[]>> sitemap(ServerHttpRequest request) {
        String site = url.of(request);
        return store.paths()
                .map(paths -> ResponseEntity.ok()
                        .contentType(MediaType.APPLICATION_XML)
                        .body(written(Stream.concat(PAGES.stream(), paths.stream())
                                .map(path -> site + path)
                                .toList())));
    }

    private static byte[] written(List<String> addresses) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            XMLStreamWriter xml =
                    XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(bytes, StandardCharsets.UTF_8.name());
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("urlset");
            xml.writeDefaultNamespace(NAMESPACE);
            for (String address : addresses) {
                xml.writeStartElement("url");
                xml.writeStartElement("loc");
                xml.writeCharacters(address);
                xml.writeEndElement();
                xml.writeEndElement();
            }
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("the sitemap cannot be written", e);
        }
        return bytes.toByteArray();
    }
}
