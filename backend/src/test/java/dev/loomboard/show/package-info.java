@NullMarked
package dev.loomboard.show;

import org.jspecify.annotations.NullMarked;
