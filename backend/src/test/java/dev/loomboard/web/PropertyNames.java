package dev.loomboard.web;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.jsonFormatVisitors.JsonArrayFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitable;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.jsonFormatVisitors.JsonMapFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonObjectFormatVisitor;
import tools.jackson.databind.ser.BeanPropertyWriter;

/**
 * Which properties a type's JSON has, and that of all types in it: a line per type, names in the order of the JSON. A type
 * has a line for each way in which it is written.
 */
final class PropertyNames extends JsonFormatVisitorWrapper.Base {

    private final List<Properties> types = new ArrayList<>();
    private final Set<JavaType> open = new HashSet<>();

    PropertyNames(SerializationContext context) {
        super(context);
    }

    void add(Class<?> type) {
        add(getContext().constructType(type));
    }

    SortedSet<String> lines() {
        return types.stream()
                .filter(type -> !type.names.isEmpty())
                .map(Properties::line)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void add(JavaType type) {
        visit(getContext().findValueSerializer(type), type);
    }

    private void visit(JsonFormatVisitable written, JavaType type) {
        if (open.add(type)) {
            written.acceptJsonFormatVisitor(this, type);
            open.remove(type);
            if (type.getRawClass().isSealed()) {
                for (Class<?> kind : type.getRawClass().getPermittedSubclasses()) {
                    add(kind);
                }
            }
        }
    }

    @Override
    public JsonObjectFormatVisitor expectObjectFormat(JavaType type) {
        Properties properties = new Properties(type);
        types.add(properties);
        return properties;
    }

    @Override
    public JsonArrayFormatVisitor expectArrayFormat(JavaType type) {
        return new JsonArrayFormatVisitor.Base(getContext()) {
            @Override
            public void itemsFormat(@Nullable JsonFormatVisitable item, JavaType of) {
                if (item == null) {
                    add(of);
                } else {
                    visit(item, of);
                }
            }
        };
    }

    @Override
    public JsonMapFormatVisitor expectMapFormat(JavaType type) {
        return new JsonMapFormatVisitor.Base(getContext()) {
            @Override
            public void valueFormat(@Nullable JsonFormatVisitable value, JavaType of) {
                if (value == null) {
                    add(of);
                } else {
                    visit(value, of);
                }
            }
        };
    }

    private final class Properties extends JsonObjectFormatVisitor.Base {

        private final JavaType type;
        private final List<String> names = new ArrayList<>();

        Properties(JavaType type) {
            super(PropertyNames.this.getContext());
            this.type = type;
        }

        String line() {
            String name =
                    type.getRawClass().getName().replace("dev.loomboard.", "").replace('$', '.');
            return name + ": " + String.join(" ", names);
        }

        @Override
        public void property(BeanProperty property) {
            names.add(property.getName());
            ValueSerializer<Object> own = property instanceof BeanPropertyWriter writer ? writer.getSerializer() : null;
            visit(
                    own == null ? getContext().findPrimaryPropertySerializer(property.getType(), property) : own,
                    property.getType());
        }

        @Override
        public void optionalProperty(BeanProperty property) {
            property(property);
        }
    }
}
