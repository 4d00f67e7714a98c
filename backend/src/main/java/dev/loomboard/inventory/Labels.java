package dev.loomboard.inventory;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Labels of machines: words such as {@code quiet}, or {@code disk=nvme}. A matrix may require them. */
public final class Labels {

    /** As in {@code matrix-1.schema.json} and {@code agent-v1.yaml}. */
    static final Pattern FORM = Pattern.compile("[a-z0-9][a-z0-9._-]{0,31}(=[A-Za-z0-9][A-Za-z0-9._-]{0,31})?");

    static final int MOST = 20;

    private Labels() {}

    /** Those of a text with spaces or commas between them, each once. */
    public static List<String> typed(String text) {
        return Arrays.stream(text.split("[\\s,]+", -1))
                .filter(label -> !label.isEmpty())
                .distinct()
                .toList();
    }

    /** What is wrong with them; null: nothing. */
    public static @Nullable String problem(List<String> labels) {
        if (labels.size() > MOST) {
            return "must be " + MOST + " at most, are " + labels.size();
        }
        return labels.stream()
                .filter(label -> !FORM.matcher(label).matches())
                .findFirst()
                .map(odd -> "must be words such as quiet, or key=value such as disk=nvme, of at most 32 characters each"
                        + " side; one is: " + odd)
                .orElse(null);
    }
}
