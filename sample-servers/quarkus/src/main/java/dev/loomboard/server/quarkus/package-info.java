/**
 * Quarkus with the workloads of WORKLOADS.md.
 *
 * <p>One application has them three times: {@link BlockingResource} on worker threads and {@link VirtualResource} on
 * virtual ones do {@link Workloads} one line after the other, {@link ReactiveResource} answers by {@code Uni}s. {@link Main}
 * turns on the one that {@link Variant} names; so it is with those of {@link Todos}. These, {@link Fortunes} and {@link SqlSleep}
 * ask the database.
 *
 * <p>It shares no code with another server and knows nothing of Loomboard but the workloads.
 */
package dev.loomboard.server.quarkus;
