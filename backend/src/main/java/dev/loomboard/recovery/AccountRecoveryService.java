package dev.loomboard.recovery;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.credential.AccountLinkStore;
import dev.loomboard.credential.AccountLinkStore.Purpose;
import dev.loomboard.credential.AccountStore;
import dev.loomboard.credential.AccountStore.Login;
import dev.loomboard.credential.NewAccount;
import dev.loomboard.kernel.Secret;
import dev.loomboard.twostep.TotpStore;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** What the operator can do for a person who is locked out, having made sure by other means who it is. */
@Service
class AccountRecoveryService {

    private static final String OPERATOR = "operator";

    private final AccountStore accounts;
    private final AccountLinkStore links;
    private final TotpStore totp;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;

    AccountRecoveryService(
            AccountStore accounts,
            AccountLinkStore links,
            TotpStore totp,
            AuditStore audit,
            TransactionalOperator transaction,
            Clock clock) {
        this.accounts = accounts;
        this.links = links;
        this.totp = totp;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /**
     * A link to a new password; empty: the address has no account that may sign in.
     *
     * @param byMail it goes to that address alone
     */
    Mono<Secret> resetLink(String email, boolean byMail) {
        Secret link = Secret.random("lbl");
        Instant now = clock.instant();
        return login(email)
                .flatMap(login -> links.add(
                                link,
                                login.account(),
                                byMail ? Purpose.RESET_MAILED : Purpose.RESET_PRINTED,
                                now,
                                now.plus(PasswordResetService.LINK_LIFE))
                        .then(note(login, "account.print-reset-link"))
                        .thenReturn(link))
                .as(transaction::transactional);
    }

    /** Whether it asked for codes until now; empty: the address has no account that may sign in. */
    Mono<Boolean> disableTwoStep(String email) {
        return login(email)
                .flatMap(login -> totp.remove(login.account())
                        .flatMap(was ->
                                was ? note(login, "account.disable-two-step").thenReturn(true) : Mono.just(false)))
                .as(transaction::transactional);
    }

    private Mono<Login> login(String email) {
        return accounts.byEmail(NewAccount.normalised(email));
    }

    private Mono<Void> note(Login login, String action) {
        return audit.append(new AuditEvent(null, OPERATOR, action, login.id(), Map.of()));
    }
}
