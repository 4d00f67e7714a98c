package dev.loomboard.matrix;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** A matrix as a file that an agent and the form of a new matrix read. */
public final class MatrixFile {

    private static final TypeReference<LinkedHashMap<String, Object>> FIELDS = new TypeReference<>() {};

    private static final List<String> TIMES = List.of("warmup", "settleSeconds", "rewarmSeconds");

    private MatrixFile() {}

    public static String text(MatrixSpec spec, JsonMapper json) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(FlowStyle.BLOCK);
        options.setSplitLines(false);
        LinkedHashMap<String, Object> fields = json.convertValue(spec, FIELDS);
        fields.computeIfPresent("phases", (name, phases) -> said((Map<?, ?>) phases));
        return new Yaml(options).dump(fields);
    }

    /** Phases with a criterion have no times, which a matrix as it is stored holds as nothing. */
    private static Map<?, ?> said(Map<?, ?> phases) {
        if (phases.containsKey("adaptive")) {
            TIMES.forEach(phases::remove);
        }
        return phases;
    }
}
