package dev.loomboard.server.jetty;

import tools.jackson.databind.json.JsonMapper;

/** JSON by Jackson. */
final class Json {

    private static final JsonMapper MAPPER = new JsonMapper();

    private Json() {}

    static String text(Object value) {
        return MAPPER.writeValueAsString(value);
    }

    static <T> T read(String text, Class<T> type) {
        return MAPPER.readValue(text, type);
    }
}
