/** Pages about the product itself: every component it is made of, its methodology, its API, how it is doing. */
@NullMarked
package dev.loomboard.about;

import org.jspecify.annotations.NullMarked;
