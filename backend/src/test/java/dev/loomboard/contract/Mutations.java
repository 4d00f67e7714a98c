package dev.loomboard.contract;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Everything that can be wrong with one value of a document, one at a time: left out, null, of another type, empty,
 * negative, with an unknown field beside it. Of a list only the first entry is changed.
 */
final class Mutations {

    private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;

    private static final Map<String, JsonNode> REPLACEMENTS = new LinkedHashMap<>();

    static {
        REPLACEMENTS.put("a text", MAKE.stringNode("Not that!"));
        REPLACEMENTS.put("an empty text", MAKE.stringNode(""));
        REPLACEMENTS.put("a number", MAKE.numberNode(12345));
        REPLACEMENTS.put("a negative number", MAKE.numberNode(-1));
        REPLACEMENTS.put("a fraction", MAKE.numberNode(1.5));
        REPLACEMENTS.put("a huge number", MAKE.numberNode(1_000_000_000_000_000_000L));
        REPLACEMENTS.put("true", MAKE.booleanNode(true));
        REPLACEMENTS.put("an object", MAKE.objectNode());
        REPLACEMENTS.put("a list", MAKE.arrayNode());
        REPLACEMENTS.put("a list of null", MAKE.arrayNode().add(MAKE.nullNode()));
    }

    /**
     * @param place JSON pointer to what was changed
     * @param change such as {@code := a list}
     * @param without for a field that became null: the document without it; else the changed document
     */
    record Mutation(String place, String change, JsonNode document, JsonNode without) {
        String what() {
            return (place.isEmpty() ? "(body)" : place) + " " + change;
        }
    }

    private final JsonNode original;
    private final List<Mutation> all = new ArrayList<>();

    private Mutations(JsonNode original) {
        this.original = original;
    }

    static List<Mutation> of(JsonNode original) {
        Mutations mutations = new Mutations(original);
        mutations.walk("", original);
        return mutations.all;
    }

    /** Each text with a character that no database can store, one at a time: JSON can say it, and no description forbids it. */
    static List<Mutation> unstorable(JsonNode original) {
        Mutations mutations = new Mutations(original);
        mutations.spoilTexts("", original);
        return mutations.all;
    }

    private void spoilTexts(String pointer, JsonNode node) {
        if (node instanceof ObjectNode object) {
            for (String name : List.copyOf(object.propertyNames())) {
                String inner = pointer + "/" + name.replace("~", "~0").replace("/", "~1");
                if (object.get(name).isString()) {
                    for (String bad : List.of("\0", "\uD83E")) {
                        // Within, because the reader takes white space off around the value of an enum.
                        String text = object.get(name).asString() + bad + "x";
                        change(
                                inner,
                                ":= a text with U+%04X".formatted((int) bad.charAt(0)),
                                (document, p) -> ((ObjectNode) document.at(pointer)).put(name, text));
                    }
                }
                spoilTexts(inner, object.get(name));
            }
        } else if (node instanceof ArrayNode array && !array.isEmpty()) {
            spoilTexts(pointer + "/0", array.get(0));
        }
    }

    private void walk(String pointer, JsonNode node) {
        if (node instanceof ObjectNode object) {
            change(
                    pointer,
                    "with an unknown field",
                    (document, p) -> ((ObjectNode) document.at(p)).put("unknownField", 1));
            for (String name : List.copyOf(object.propertyNames())) {
                String inner = pointer + "/" + name.replace("~", "~0").replace("/", "~1");
                change(pointer, "without " + name, (document, p) -> ((ObjectNode) document.at(p)).remove(name));
                REPLACEMENTS.forEach((words, value) -> change(
                        inner, ":= " + words, (document, p) -> ((ObjectNode) document.at(pointer)).set(name, value)));
                nullify(pointer, inner, name);
                walk(inner, node.get(name));
            }
        } else if (node instanceof ArrayNode array && !array.isEmpty()) {
            REPLACEMENTS.forEach((words, value) -> change(
                    pointer + "/0", ":= " + words, (document, p) -> ((ArrayNode) document.at(pointer)).set(0, value)));
            walk(pointer + "/0", array.get(0));
        }
    }

    private void nullify(String pointer, String inner, String name) {
        JsonNode document = original.deepCopy();
        ((ObjectNode) document.at(pointer)).putNull(name);
        JsonNode without = original.deepCopy();
        ((ObjectNode) without.at(pointer)).remove(name);
        all.add(new Mutation(inner, ":= null", document, without));
    }

    private void change(String pointer, String words, BiConsumer<JsonNode, String> how) {
        JsonNode copy = original.deepCopy();
        how.accept(copy, pointer);
        all.add(new Mutation(pointer, words, copy, copy));
    }
}
