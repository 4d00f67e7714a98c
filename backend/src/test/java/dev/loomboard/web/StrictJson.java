package dev.loomboard.web;

import tools.jackson.databind.json.JsonMapper;

/** The service's JSON reader, for tests that need no service. */
public final class StrictJson {

    private StrictJson() {}

    public static JsonMapper mapper() {
        JsonMapper.Builder builder = JsonMapper.builder();
        new JsonConfig().strictReading().customize(builder);
        return builder.build();
    }
}
