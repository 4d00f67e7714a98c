/**
 * Vert.x with the workloads of WORKLOADS.md.
 *
 * <p>{@link Variant} says on which threads the verticles run: {@link EventLoopVerticle} answers by futures,
 * {@link VirtualVerticle} awaits them; both do the work of {@link Work}, {@link Matrix} and {@link Threads}, and
 * {@link DatabaseRoutes} ask the database. {@link Main} starts a {@link Server} as its {@link Settings} say.
 *
 * <p>It shares no code with another server and knows nothing of Loomboard but the workloads.
 */
package dev.loomboard.server.vertx;
