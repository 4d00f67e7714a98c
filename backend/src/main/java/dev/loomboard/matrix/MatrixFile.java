package dev.loomboard.matrix;

import java.util.LinkedHashMap;
import java.util.List;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A matrix as a file that an agent and the form of a new matrix read. */
public final class MatrixFile {

    private static final TypeReference<LinkedHashMap<String, Object>> FIELDS = new TypeReference<>() {};

    private static final List<String> TIMES = List.of("warmup", "settleSeconds", "rewarmSeconds");

    private MatrixFile() {}

    public static String text(MatrixSpec spec, JsonMapper json) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(FlowStyle.BLOCK);
        options.setSplitLines(false);
        return new Yaml(options).dump(json.convertValue(stated(json.valueToTree(spec)), FIELDS));
    }

    /** As its owner would state it: phases with a criterion have no times, which a matrix as it is stored holds as nothing. */
    public static JsonNode stated(JsonNode stored) {
        if (stored.path("phases") instanceof ObjectNode phases && phases.has("adaptive")) {
            phases.remove(TIMES);
        }
        return stored;
    }
}
