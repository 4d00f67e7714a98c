package dev.loomboard.ingest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The contract's example batches, and what becomes of them when somebody changes something. */
final class Examples {

    static final String TRIAL = "trl_abcdefghij2345672345";
    static final JsonMapper PLAIN = JsonMapper.builder().build();

    private Examples() {}

    /** first, middle or last. */
    static ObjectNode batch(String name) {
        try {
            return (ObjectNode) PLAIN.readTree(Files.readString(Path.of("api/examples/batch-" + name + ".json")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ObjectNode batch(String name, Consumer<ObjectNode> change) {
        ObjectNode batch = batch(name);
        change.accept(batch);
        return batch;
    }

    static byte[] bytes(JsonNode batch) {
        return PLAIN.writeValueAsBytes(batch);
    }

    static ObjectNode object(JsonNode batch, String pointer) {
        return (ObjectNode) batch.at(pointer);
    }

    static ArrayNode array(JsonNode batch, String pointer) {
        return (ArrayNode) batch.at(pointer);
    }
}
