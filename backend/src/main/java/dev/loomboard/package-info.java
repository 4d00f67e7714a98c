@NullMarked
package dev.loomboard;

import org.jspecify.annotations.NullMarked;
