/**
 * A scenario: a workload, its parameters, the delay of its database and the load, parsed and written once.
 *
 * <p>{@link Load} is every kind of load; {@link Scenario} reads the key that rows have, {@link CanonicalText} writes it, and
 * {@link ScenarioSql} takes it apart in queries. Plain Java but for that. It must not know what was measured.
 */
@NullMarked
package dev.loomboard.scenario;

import org.jspecify.annotations.NullMarked;
