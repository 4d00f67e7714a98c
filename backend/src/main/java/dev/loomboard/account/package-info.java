/**
 * People, sessions and tokens: who may call, proven by a cookie or a bearer secret.
 *
 * <p>{@link CallerFilter} proves the caller of each request by {@link CredentialStore}; {@link AccessConfig} then asks the
 * route table of {@code web}. {@link SignInService} begins and ends sessions, {@link PasswordService} hashes passwords,
 * {@link ApiTokenService} makes tokens for scripts, {@link SetupService} makes the first administrator,
 * and {@link FirstStartConfig} runs before the port opens.
 *
 * <p>It knows no feature: which rows a caller sees is decided in each store's query by {@code kernel.VisibleSql}.
 */
@NullMarked
package dev.loomboard.account;

import org.jspecify.annotations.NullMarked;
