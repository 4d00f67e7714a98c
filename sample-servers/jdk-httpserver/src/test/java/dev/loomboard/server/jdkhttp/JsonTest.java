package dev.loomboard.server.jdkhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTest {

    @Test
    void text_isEscaped() {
        assertEquals(
                "[{\"id\":7,\"message\":\"\\\"a\\\\b\\\"\\u000a糸\"},{\"id\":1,\"message\":\"\"}]",
                Json.array(List.of(new Fortune(7, "\"a\\b\"\n糸"), new Fortune(1, ""))));
    }
}
