package dev.loomboard.ingest;

import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/** An upload that has one thing wrong: the change that spoils an example, and how the refusal names it. */
record WrongBatch(String name, String example, Consumer<ObjectNode> change, String field, String message) {

    static WrongBatch wrong(String name, String example, Consumer<ObjectNode> change, String field, String message) {
        return new WrongBatch(name, example, change, field, message);
    }
}
