/** Numbers of a trial from its raw record, and of a finished cell from its trials. */
@NullMarked
package dev.loomboard.rollup;

import org.jspecify.annotations.NullMarked;
