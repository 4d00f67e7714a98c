package dev.loomboard.server.jdkhttp;

import java.util.List;
import java.util.stream.Collectors;

/** Fortunes as JSON without white space: the JDK has no writer of it, and two fields are no reason for a library. */
final class Json {

    private Json() {}

    static String array(List<Fortune> fortunes) {
        return fortunes.stream().map(Json::object).collect(Collectors.joining(",", "[", "]"));
    }

    private static String object(Fortune fortune) {
        return "{\"id\":" + fortune.id() + ",\"message\":" + text(fortune.message()) + "}";
    }

    private static String text(String value) {
        StringBuilder out = new StringBuilder(value.length() + 2).append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
