package dev.loomboard.measurement;

import dev.loomboard.kernel.FieldChecks;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.ValueInstantiators;
import tools.jackson.databind.deser.std.DelegatingDeserializer;
import tools.jackson.databind.deser.std.StdValueInstantiator;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.util.NameTransformer;

/**
 * A part of an upload that is also stored as a document. The reader of an upload checks it. The reader of a stored
 * document does not: an older agent may have sent it, under older rules.
 */
public interface Checked {

    /**
     * Does nothing when all fields are as the contract says.
     *
     * @throws FieldChecks.Refused naming the field that is not
     */
    void check();

    /** A group of fields that lie flat in the JSON of the record around it ({@code @JsonUnwrapped}), where it is no field itself. */
    interface Flat {}

    /** Makes a mapper check each part as soon as it is read, as if its constructor did. */
    static JacksonModule module() {
        return new SimpleModule("checked") {
            @Override
            public void setupModule(SetupContext context) {
                super.setupModule(context);
                context.addValueInstantiators(new Instantiators());
                context.addDeserializerModifier(new FlatOnly());
            }
        };
    }

    /** Of the parts of an upload. */
    final class Instantiators extends ValueInstantiators.Base {
        @Override
        public ValueInstantiator modifyValueInstantiator(
                DeserializationConfig config, BeanDescription.Supplier bean, ValueInstantiator made) {
            return Checked.class.isAssignableFrom(bean.getBeanClass()) && made instanceof StdValueInstantiator standard
                    ? new Instantiator(standard)
                    : made;
        }
    }

    /** Refuses what its check refuses, with the place of the part in the upload. */
    final class Instantiator extends StdValueInstantiator {
        private Instantiator(StdValueInstantiator made) {
            super(made);
        }

        @Override
        public Object createFromObjectWith(DeserializationContext context, Object[] fields) {
            Object made = super.createFromObjectWith(context, fields);
            try {
                ((Checked) made).check();
                return made;
            } catch (FieldChecks.Refused refused) {
                return context.handleInstantiationProblem(getValueClass(), fields, rewrapCtorProblem(context, refused));
            }
        }
    }

    /** Of groups of fields. */
    final class FlatOnly extends ValueDeserializerModifier {
        @Override
        public ValueDeserializer<?> modifyDeserializer(
                DeserializationConfig config, BeanDescription.Supplier bean, ValueDeserializer<?> made) {
            return Flat.class.isAssignableFrom(bean.getBeanClass()) ? new FlatReader(made) : made;
        }
    }

    /** Jackson gives each group a name of its own making, and would read a field of that name. */
    final class FlatReader extends DelegatingDeserializer {
        private FlatReader(ValueDeserializer<?> made) {
            super(made);
        }

        @Override
        protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> made) {
            return new FlatReader(made);
        }

        @Override
        public ValueDeserializer<Object> unwrappingDeserializer(DeserializationContext context, NameTransformer names) {
            @SuppressWarnings("unchecked")
            ValueDeserializer<Object> flat =
                    (ValueDeserializer<Object>) getDelegatee().unwrappingDeserializer(context, names);
            return flat;
        }

        @Override
        public Object deserialize(JsonParser parser, DeserializationContext context) {
            throw new UnrecognizedPropertyException(
                    parser, "not a field", parser.currentTokenLocation(), handledType(), "", null);
        }
    }
}
