@NullMarked
package dev.loomboard.quota;

import org.jspecify.annotations.NullMarked;
