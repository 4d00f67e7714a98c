/**
 * The commands that the program has besides the service: their options, what they print, their exit codes.
 *
 * <p>{@link Commands} is the table, {@link CliCommand} what they share; then one class per command, such as
 * {@link DetectCommand} or {@link VerifyRollupsCommand}.
 *
 * <p>No other package may know the option parser. The work is done by {@code stats}, {@code simulation}, {@code verdict},
 * {@code recompute} and {@code generate}; commands only read, call and print.
 */
@NullMarked
package dev.loomboard.cli;

import org.jspecify.annotations.NullMarked;
