/** Runs: the queue of each machine, the lease its agent holds, and what has become of every trial. */
@NullMarked
package dev.loomboard.run;

import org.jspecify.annotations.NullMarked;
