package dev.loomboard.web;

import dev.loomboard.kernel.Characters;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;

/** Renders page records to bytes with the templates compiled into the program. */
@Component
public class PageRenderer {

    /** Told to htmx: what was refused has no address of its own, so the browser's stays that of the form. */
    public static final String PUSH_URL = "HX-Push-Url";

    public static final MediaType UTF8_HTML = new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8);

    /** What a page depends on besides its address. */
    public static final List<String> VARY = List.of("HX-Request", "Cookie");

    private final TemplateEngine engine = TemplateEngine.createPrecompiled(ContentType.Html);

    /** The page, or its fragment when htmx asks for it, with status 200. */
    public ResponseEntity<byte[]> show(PageContext shell, Page page) {
        return show(HttpStatus.OK, shell, page);
    }

    public ResponseEntity<byte[]> show(HttpStatusCode status, PageContext shell, Page page) {
        String fragment = page.fragment();
        String template = shell.htmx() && fragment != null ? fragment : page.template();
        return ResponseEntity.status(status)
                .contentType(UTF8_HTML)
                .cacheControl(CacheControl.noCache())
                .headers(headers -> {
                    headers.setVary(VARY);
                    if (status.isError()) {
                        headers.set(PUSH_URL, "false");
                    }
                })
                .body(bytes(template, Map.of("page", page, "shell", shell)));
    }

    /**
     * A page that holds a secret: no browser keeps it. After a form its address stays that of the form, where the page is without
     * the secret.
     */
    public ResponseEntity<byte[]> showNotStored(HttpStatusCode status, PageContext shell, Page page) {
        ResponseEntity<byte[]> shown = show(status, shell.whole(), page);
        return ResponseEntity.status(status)
                .headers(headers -> {
                    headers.addAll(shown.getHeaders());
                    headers.set(PUSH_URL, "false");
                    headers.setCacheControl(CacheControl.noStore());
                })
                .body(shown.getBody());
    }

    /** After a form: reloading the page does not send the form again. */
    public static ResponseEntity<byte[]> seeOther(String path) {
        return ResponseEntity.status(HttpStatus.SEE_OTHER)
                .location(URI.create(path))
                .build();
    }

    /** Any template: for the parts that server-sent events carry. */
    public String text(String template, Map<String, Object> model) {
        return new String(bytes(template, model), StandardCharsets.UTF_8);
    }

    byte[] bytes(String template, Map<String, Object> model) {
        Utf8ByteOutput output = new Utf8ByteOutput();
        engine.render(template, model, output);
        byte[] page = output.toByteArray();
        Characters.expose(page);
        return page;
    }
}
