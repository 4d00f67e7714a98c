/** What was found wrong and takes its results with it. */
@NullMarked
package dev.loomboard.retraction;

import org.jspecify.annotations.NullMarked;
