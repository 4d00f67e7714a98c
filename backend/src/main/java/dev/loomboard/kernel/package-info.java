/**
 * What every feature builds on: ids, callers, secrets, field checks, columns of rows.
 *
 * <p>{@link Caller} is who sends a request and {@link Role} what a person may do in a workspace; {@link VisibleSql} is the
 * tenancy rule, written once; {@link FieldChecks} refuses bad fields by name; {@link ExternalId} and {@link Secret} are what
 * the outside sees; {@link Rows} reads columns.
 *
 * <p>{@link Internal} marks what JSON leaves out. Plain Java but for {@link Rows}, {@link VisibleSql} and {@link InTurn}. It depends on no
 * other package of ours.
 */
@NullMarked
package dev.loomboard.kernel;

import org.jspecify.annotations.NullMarked;
