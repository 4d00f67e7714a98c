/** Where the service's PostgreSQL comes from: a given address, or an embedded server that is as durable as a real one. */
@NullMarked
package dev.loomboard.database;

import org.jspecify.annotations.NullMarked;
