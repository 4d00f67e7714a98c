package dev.loomboard.measurement;

import dev.loomboard.kernel.FieldChecks;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.ValueInstantiators;
import tools.jackson.databind.deser.std.StdValueInstantiator;
import tools.jackson.databind.module.SimpleModule;

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

    /** Makes a mapper check each part as soon as it is read, as if its constructor did. */
    static JacksonModule module() {
        return new SimpleModule("checked") {
            @Override
            public void setupModule(SetupContext context) {
                super.setupModule(context);
                context.addValueInstantiators(new Instantiators());
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
}
