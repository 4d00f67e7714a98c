package dev.loomboard.view;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The query of a page's URL, from which the URL of every other state of the page is made. */
public record Query(String path, Map<String, String> values) {

    public Query {
        values = Map.copyOf(values);
    }

    /**
     * @param own of the page, whatever was asked
     * @param names which of the parameters are kept, where they were asked for
     */
    public static Query of(String path, Map<String, String> own, Map<String, String> asked, String... names) {
        Map<String, String> values = new HashMap<>(own);
        for (String name : names) {
            String value = asked.get(name);
            if (value != null) {
                values.put(name, value);
            }
        }
        return new Query(path, values);
    }

    /** The same page with one parameter set, or removed by null. */
    public String with(String name, @Nullable String value) {
        Map<String, String> changed = new LinkedHashMap<>(values);
        if (value == null) {
            changed.remove(name);
        } else {
            changed.put(name, value);
        }
        return url(path, changed);
    }

    /** The same state in another form: {@code .json} or {@code .csv}. */
    public String twin(String suffix) {
        return url(path + suffix, values);
    }

    public String url() {
        return url(path, values);
    }

    private static String url(String path, Map<String, String> values) {
        if (values.isEmpty()) {
            return path;
        }
        return path + "?"
                + values.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(e -> encode(e.getKey()) + "=" + encode(e.getValue()))
                        .collect(Collectors.joining("&"));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
