/** Change points: what the detector reports of a series, set against what is stored, and the one test of its history. */
@NullMarked
package dev.loomboard.changepoint;

import org.jspecify.annotations.NullMarked;
