package dev.loomboard.setup;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.credential.AccountStore;
import dev.loomboard.credential.AccountStore.Login;
import dev.loomboard.credential.NewAccount;
import dev.loomboard.credential.PasswordService;
import dev.loomboard.kernel.Caller.TokenScope;
import dev.loomboard.kernel.Secret;
import dev.loomboard.session.NewSession;
import dev.loomboard.session.Visitor;
import dev.loomboard.signin.EntryService;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Makes the first administrator by a link that only who sees the service's output can know. */
@Service
class SetupService {

    static final Duration LINK_LIFE = Duration.ofHours(24);

    /** What the operator's own token may do: register the local machine and start runs. */
    private static final String[] BOOTSTRAP_SCOPES = {TokenScope.MACHINE_REGISTER.wire(), TokenScope.RUN_WRITE.wire()};

    private final AccountStore accounts;
    private final SetupStore setup;
    private final PasswordService passwords;
    private final EntryService entries;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;

    SetupService(
            AccountStore accounts,
            SetupStore setup,
            PasswordService passwords,
            EntryService entries,
            AuditStore audit,
            TransactionalOperator transaction,
            Clock clock) {
        this.accounts = accounts;
        this.setup = setup;
        this.passwords = passwords;
        this.entries = entries;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** A new link while there is no administrator; empty once there is one. */
    Mono<Secret> linkIfNeeded() {
        Secret link = Secret.random("lbl");
        Instant now = clock.instant();
        return setup.lacksAdministrator()
                .filter(lacks -> lacks)
                .flatMap(lacks ->
                        setup.addSetupLink(link, now, now.plus(LINK_LIFE)).thenReturn(link));
    }

    /**
     * The operator's token lives as long as it is configured.
     *
     * @param token null: there is none any more
     */
    Mono<Void> acceptBootstrapToken(@Nullable Secret token) {
        Mono<Void> add = token == null ? Mono.empty() : setup.addBootstrapToken(token, BOOTSTRAP_SCOPES);
        return setup.revokeBootstrapTokens(token, clock.instant()).then(add).as(transaction::transactional);
    }

    Mono<Boolean> works(Secret link) {
        return setup.setupLinkWorks(link, clock.instant());
    }

    /** Uses the link up and signs the new administrator in; empty when the link does not work (any more). */
    Mono<NewSession> use(Secret link, NewAccount account, Visitor visitor) {
        return works(link)
                .filter(works -> works)
                .flatMap(works -> passwords.hash(account.password()))
                .flatMap(hash -> setup.useSetupLink(link, clock.instant())
                        .filter(taken -> taken)
                        .flatMap(taken -> accounts.addAdministrator(account, hash))
                        .flatMap(login -> welcome(login, visitor))
                        .as(transaction::transactional));
    }

    private Mono<NewSession> welcome(Login login, Visitor visitor) {
        return audit.append(new AuditEvent(null, login.id(), "account.setup", login.id(), Map.of()))
                .then(entries.begin(login, visitor));
    }
}
