package dev.loomboard.scenario;

import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Text forms that never change, because keys of histories are made of them. */
public final class CanonicalText {

    private CanonicalText() {}

    /** 300.0 is 300, 0.50 is 0.5; never an exponent. */
    public static String number(double value) {
        return plain(BigDecimal.valueOf(value));
    }

    /**
     * {@code <workload>@<version>?<parameters, sorted>;<load>}, such as {@code io@1?delayMs=100;constant:rate=300,seconds=12};
     * a delayed database stands before the load, such as {@code fortunes@1?;db=0+200;constant:rate=300,seconds=12}.
     */
    public static String scenarioKey(
            String workload, int version, Map<String, Object> params, @Nullable DatabaseDelay delay, Load load) {
        String sorted = new TreeMap<>(params)
                .entrySet().stream()
                        .map(e -> encode(e.getKey()) + "=" + value(e.getValue()))
                        .collect(Collectors.joining("&"));
        return workload + "@" + version + "?" + sorted + ";" + (delay == null ? "" : delay.canonical() + ";")
                + load.canonical();
    }

    private static String value(Object value) {
        return switch (value) {
            case Number n -> plain(new BigDecimal(n.toString()));
            case Object other -> encode(other.toString());
        };
    }

    private static String plain(BigDecimal value) {
        return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
