package dev.loomboard.recovery;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.credential.AccountLinkStore;
import dev.loomboard.credential.AccountLinkStore.Link;
import dev.loomboard.credential.AccountLinkStore.Purpose;
import dev.loomboard.credential.AccountStore;
import dev.loomboard.credential.AccountStore.Login;
import dev.loomboard.credential.AskingThrottle;
import dev.loomboard.credential.NewAccount;
import dev.loomboard.credential.PasswordService;
import dev.loomboard.kernel.Secret;
import dev.loomboard.mail.MailService;
import dev.loomboard.session.SessionStore;
import dev.loomboard.session.Visitor;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.PublicUrl;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** New passwords for people who forgot theirs, by a link that is mailed to the account's address. */
@Service
class PasswordResetService {

    static final Duration LINK_LIFE = Duration.ofHours(1);

    private final AccountStore accounts;
    private final AccountLinkStore links;
    private final SessionStore sessions;
    private final PasswordService passwords;
    private final MailService mails;
    private final PublicUrl publicUrl;
    private final AskingThrottle asking;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;

    PasswordResetService(
            AccountStore accounts,
            AccountLinkStore links,
            SessionStore sessions,
            PasswordService passwords,
            MailService mails,
            PublicUrl publicUrl,
            AskingThrottle asking,
            AuditStore audit,
            TransactionalOperator transaction,
            Clock clock) {
        this.accounts = accounts;
        this.links = links;
        this.sessions = sessions;
        this.passwords = passwords;
        this.mails = mails;
        this.publicUrl = publicUrl;
        this.asking = asking;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** False: the operator gives such links by a command. */
    boolean mails() {
        return mails.configured();
    }

    /** Mails a link if the address has an account, which the answer and its time do not tell; false: too many were asked for. */
    Mono<Boolean> ask(String email, Visitor visitor) {
        if (!asking.allows(visitor.address())) {
            return Mono.just(false);
        }
        String address = NewAccount.normalised(email);
        Secret link = Secret.random("lbl");
        Instant now = clock.instant();
        return links.removeExpired(now)
                .then(links.addByEmail(link, address, Purpose.RESET_MAILED, now, now.plus(LINK_LIFE)))
                .doOnNext(found -> send(address, found, link))
                .thenReturn(true);
    }

    private void send(String email, boolean found, Secret link) {
        if (found && asking.allowsMail(email)) {
            mails.send(ResetMail.of(email, publicUrl.trusted() + PeopleUrls.resetPassword(link.value())));
        }
    }

    Mono<Boolean> works(Secret link) {
        return find(link).hasElement();
    }

    /** Uses the link up, sets the password and ends every session; false when the link does not work (any more). */
    Mono<Boolean> use(Secret link, String password) {
        return works(link)
                .filter(works -> works)
                .flatMap(works -> passwords.hash(password))
                .flatMap(hash -> find(link)
                        .filterWhen(found -> links.take(link))
                        .flatMap(found ->
                                accounts.byId(found.account()).flatMap(login -> replace(login, found.purpose(), hash)))
                        .as(transaction::transactional))
                .defaultIfEmpty(false);
    }

    private Mono<Boolean> replace(Login login, Purpose purpose, String hash) {
        Mono<Void> proven = purpose == Purpose.RESET_MAILED ? proven(login) : Mono.empty();
        return accounts.changePassword(login.account(), hash)
                .then(proven)
                .then(sessions.endAll(login.account()))
                .then(links.removeAll(login.account()))
                .then(audit.append(new AuditEvent(null, login.id(), "account.reset-password", login.id(), Map.of())))
                .thenReturn(true);
    }

    /**
     * Who linked an identity before the address was proven need not be who reads its mail: somebody may have taken the address at
     * the provider, to be in the account of its owner later.
     */
    private Mono<Void> proven(Login login) {
        return accounts.unlinkUnproven(login.account()).then(accounts.verified(login.account(), clock.instant()));
    }

    private Mono<Link> find(Secret link) {
        return links.find(link, clock.instant()).filter(found -> found.purpose() != Purpose.SECOND_STEP);
    }
}
