/** What must be made again after an event: a trial or a run ended, a version was retracted, a machine became public. */
@NullMarked
package dev.loomboard.recompute;

import org.jspecify.annotations.NullMarked;
