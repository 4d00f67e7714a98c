/** Spring WebFlux on Netty with the workloads of WORKLOADS.md. */
@NullMarked
package dev.loomboard.server.webflux;

import org.jspecify.annotations.NullMarked;
