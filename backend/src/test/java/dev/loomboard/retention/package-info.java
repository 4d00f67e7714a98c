@NullMarked
package dev.loomboard.retention;

import org.jspecify.annotations.NullMarked;
