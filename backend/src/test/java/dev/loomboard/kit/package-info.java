/** What tests stand on: a real PostgreSQL with a database per class, the whole service once per JVM, and its callers. */
@NullMarked
package dev.loomboard.kit;

import org.jspecify.annotations.NullMarked;
