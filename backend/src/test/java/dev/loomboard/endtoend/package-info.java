/**
 * The whole system as people use it: the service as a process, the built agent, real JVMs under load, and a real
 * browser. Small data but for one run of {@code quick}. Pictures of every step are left in {@code target/end-to-end}.
 */
@NullMarked
package dev.loomboard.endtoend;

import org.jspecify.annotations.NullMarked;
