package dev.loomboard.web;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The same page for programs: as JSON with its schema's name first, its table as CSV, or a picture of it. Documented as unstable. */
@Component
public final class DataTwins {

    private static final MediaType CSV = new MediaType("text", "csv", StandardCharsets.UTF_8);
    private static final MediaType SVG = new MediaType("image", "svg+xml");

    private final JsonMapper json;

    DataTwins(JsonMapper json) {
        this.json = json;
    }

    /** @param schema such as {@code loomboard.leaderboard/1} */
    public ResponseEntity<byte[]> json(String schema, PageTwin page) {
        ObjectNode twin = json.createObjectNode();
        twin.put("schema", schema);
        JsonNode body = json.valueToTree(page);
        body.properties().forEach(field -> twin.set(field.getKey(), field.getValue()));
        return answer(MediaType.APPLICATION_JSON, json.writeValueAsBytes(twin));
    }

    /** @param rows a null cell was not measured: it stays empty */
    public ResponseEntity<byte[]> csv(List<String> head, List<List<@Nullable Object>> rows) {
        StringBuilder text = new StringBuilder(CsvText.line(head));
        rows.forEach(row -> text.append(CsvText.line(row)));
        return answer(CSV, text.toString().getBytes(StandardCharsets.UTF_8));
    }

    public ResponseEntity<byte[]> svg(byte[] picture) {
        return answer(SVG, picture);
    }

    private static ResponseEntity<byte[]> answer(MediaType type, byte[] body) {
        return ResponseEntity.ok()
                .contentType(type)
                .header(HttpHeaders.VARY, "Cookie")
                .cacheControl(CacheControl.noCache())
                .eTag(EntityTag.of(body))
                .body(body);
    }
}
