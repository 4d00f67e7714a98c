/**
 * Both API descriptions held against what the service really takes and answers.
 *
 * <p>{@link Contract} is a description, {@link Conversation} checks every call against it, {@link Refusals} sends
 * everything that it does not allow ({@link Mutations}). {@link RoutesContractTest} compares operations with routes,
 * {@link ExamplesTest} the examples that the agent's tests read too. The other tests are one conversation each.
 *
 * <p>They use the service over HTTP alone and look at no class of a feature.
 */
@NullMarked
package dev.loomboard.contract;

import org.jspecify.annotations.NullMarked;
