/** Suspected changes: followed up by a rerun, confirmed or dropped, and looked after by people. */
@NullMarked
package dev.loomboard.regression;

import org.jspecify.annotations.NullMarked;
