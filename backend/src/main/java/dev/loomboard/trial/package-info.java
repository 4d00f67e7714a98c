/** The page of one trial, down to its samples. */
@NullMarked
package dev.loomboard.trial;

import org.jspecify.annotations.NullMarked;
