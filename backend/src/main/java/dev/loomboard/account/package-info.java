/**
 * People, sessions and tokens: who may call, proven by a cookie or a bearer secret.
 *
 * <p>{@link CallerFilter} proves the caller of each request by {@link CredentialStore}; {@link AccessConfig} then asks the
 * route table of {@code web}. {@link SignInService} proves people by their passwords, and {@link EntryService} lets in whom that, or
 * anything else, has proven: by a code of {@link TwoStepService} where the account asks for one. {@link SignUpService} and
 * {@link SetupService} make accounts, {@link PasswordResetService} and {@link AccountRecoveryService} help who is locked out,
 * {@link AccountDeletionService} ends an account, {@link ApiTokenService} makes tokens for scripts, and {@link FirstStartConfig}
 * runs before the port opens.
 *
 * <p>It knows no feature: which rows a caller sees is decided in each store's query by {@code kernel.VisibleSql}.
 */
@NullMarked
package dev.loomboard.account;

import org.jspecify.annotations.NullMarked;
