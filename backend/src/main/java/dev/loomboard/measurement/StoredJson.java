package dev.loomboard.measurement;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads stored documents. An older or a newer agent may have sent them, so nothing is checked: an unknown field is left
 * out, a missing list is empty, a missing number is 0 and anything else that is missing is null.
 */
public final class StoredJson {

    private static final JsonSetter.Value EMPTY = JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY);

    private static final JsonMapper LENIENT = JsonMapper.builder()
            .disable(
                    DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(EnumFeature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
            .withConfigOverride(List.class, list -> list.setNullHandling(EMPTY))
            .withConfigOverride(Map.class, map -> map.setNullHandling(EMPTY))
            .annotationIntrospector(new JacksonAnnotationIntrospector() {
                @Override
                public @Nullable Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
                    return null; // what an upload must have, a document may lack
                }
            })
            .build();

    private StoredJson() {}

    public static <T> T read(String json, Class<T> type) {
        return LENIENT.readValue(json, type);
    }

    public static <T> T read(String json, TypeReference<T> type) {
        return LENIENT.readValue(json, type);
    }

    /** Documents that stand one after another, as JSON lines do. */
    public static <T> List<T> readAll(String json, Class<T> type) {
        try (MappingIterator<T> documents = LENIENT.readerFor(type).readValues(json)) {
            return documents.readAll();
        }
    }

    /**
     * A document twice.
     *
     * @param sent exactly what the agent sent, with facts that this version does not know
     * @param read what this version knows of it
     */
    public record Document<T>(@JsonValue JsonNode sent, T read) {
        public static <T> Document<T> of(String json, Class<T> type) {
            return of(LENIENT.readTree(json), type);
        }

        public static <T> Document<T> of(JsonNode sent, Class<T> type) {
            return new Document<>(sent, LENIENT.treeToValue(sent, type));
        }
    }
}
