/**
 * A person's own account: its page, the password, where it is signed in, the export of what is known, and its end.
 *
 * <p>{@link OwnAccountService} lists and ends sessions, {@link AccountDeletionService} ends an account, {@link AccountExportStore}
 * writes out what the service knows of a person.
 */
@NullMarked
package dev.loomboard.account;

import org.jspecify.annotations.NullMarked;
