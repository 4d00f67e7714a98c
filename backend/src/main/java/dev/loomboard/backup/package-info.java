/**
 * A copy of the whole database in one file, and a new database from it.
 *
 * <p>{@link BackupApplication} is called by the commands {@code backup} and {@code restore}. {@link DatabaseCopy} reads and
 * writes tables, {@link BackupWriter} and {@link BackupReader} the file, whose contents a {@link Manifest} lists.
 *
 * <p>It knows no table: the schema is Flyway's, at the version of which the backup is.
 */
@NullMarked
package dev.loomboard.backup;

import org.jspecify.annotations.NullMarked;
