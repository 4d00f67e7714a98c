package dev.loomboard.signup;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.credential.AccountStore;
import dev.loomboard.credential.AccountStore.Login;
import dev.loomboard.credential.AskingThrottle;
import dev.loomboard.credential.NewAccount;
import dev.loomboard.credential.PasswordService;
import dev.loomboard.credential.SignInThrottle;
import dev.loomboard.credential.SignInThrottle.Attempt;
import dev.loomboard.credential.SignUpMode;
import dev.loomboard.kernel.Secret;
import dev.loomboard.mail.MailService;
import dev.loomboard.membership.InvitationService;
import dev.loomboard.session.Visitor;
import dev.loomboard.signin.EntryService;
import dev.loomboard.signup.SignUpStore.Pending;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.PublicUrl;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/**
 * Makes accounts for people who ask, where they may. A stranger gets the same answer, after the same time,
 * whether or not an address has an account.
 */
@Service
public class SignUpService {

    static final Duration LINK_LIFE = Duration.ofHours(24);

    private final SignUpMode mode;
    private final AccountStore accounts;
    private final InvitationService invitations;
    private final SignUpStore pending;
    private final PasswordService passwords;
    private final EntryService entries;
    private final MailService mails;
    private final PublicUrl publicUrl;
    private final AskingThrottle asking;
    private final SignInThrottle guessing;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;

    SignUpService(
            SignUpMode mode,
            AccountStore accounts,
            InvitationService invitations,
            SignUpStore pending,
            PasswordService passwords,
            EntryService entries,
            MailService mails,
            PublicUrl publicUrl,
            AskingThrottle asking,
            SignInThrottle guessing,
            AuditStore audit,
            TransactionalOperator transaction,
            Clock clock) {
        this.mode = mode;
        this.accounts = accounts;
        this.invitations = invitations;
        this.pending = pending;
        this.passwords = passwords;
        this.entries = entries;
        this.mails = mails;
        this.publicUrl = publicUrl;
        this.asking = asking;
        this.guessing = guessing;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** The answer to a stranger who asks for an account. */
    enum Answer {
        /** Whatever could be done is done; whether the address had an account before is not said. */
        ASKED,
        THROTTLED,
        /** Not everybody may have an account here. */
        NOT_OPEN
    }

    public SignUpMode mode() {
        return mode;
    }

    /** True when an address is proven by a mailed link before there is an account. */
    boolean verifies() {
        return mails.configured();
    }

    /** True when a stranger may ask for an account: everybody may, or the path to go on to is of an invitation that works. */
    public Mono<Boolean> open(String next) {
        String invitation = PeopleUrls.invitation("");
        return switch (mode) {
            case OPEN -> Mono.just(true);
            case CLOSED -> Mono.just(false);
            case INVITATION ->
                next.startsWith(invitation)
                        ? invitations.valid(next.substring(invitation.length())).hasElement()
                        : Mono.just(false);
        };
    }

    /** @param next path to go on to once the account is there */
    Mono<Answer> ask(NewAccount account, String next, Visitor visitor) {
        return open(next).flatMap(open -> open ? asked(account, next, visitor) : Mono.just(Answer.NOT_OPEN));
    }

    private Mono<Answer> asked(NewAccount account, String next, Visitor visitor) {
        if (!asking.allows(visitor.address())) {
            return Mono.just(Answer.THROTTLED);
        }
        return passwords
                .hash(account.password())
                .flatMap(hash -> verifies()
                        ? mail(account, hash, next)
                        : make(account, hash, null).then())
                .thenReturn(Answer.ASKED);
    }

    private Mono<Void> mail(NewAccount account, String hash, String next) {
        Secret link = Secret.random("lbl");
        Instant now = clock.instant();
        Pending asked = new Pending(account.email(), account.name(), hash, next);
        return pending.removeExpired(now)
                .then(pending.add(link, asked, now, now.plus(LINK_LIFE)))
                .doOnNext(taken -> send(account.email(), taken, link))
                .then();
    }

    private void send(String email, boolean taken, Secret link) {
        if (asking.allowsMail(email)) {
            mails.send(
                    taken
                            ? SignUpMails.alreadyThere(email, publicUrl.trusted() + PeopleUrls.resetPassword())
                            : SignUpMails.verify(email, publicUrl.trusted() + PeopleUrls.signUp(link.value())));
        }
    }

    /**
     * Makes the account, without a password, of somebody whom a provider vouches for; within the caller's transaction, which links
     * the two.
     *
     * @param account without a password; its name is cut to what fits
     * @param verified whether the provider says that the person reads mail at the address
     * @param next path to go on to; of an invitation, it lets in whom it invites
     */
    public Mono<VouchedResult> vouched(NewAccount account, boolean verified, String next, Visitor visitor) {
        return open(next).flatMap(open -> {
            if (!open) {
                return Mono.just(new VouchedResult.NotOpen(mode));
            }
            if (!account.emailProblems().isEmpty()) {
                return Mono.just(new VouchedResult.NoAddress());
            }
            return asking.allows(visitor.address())
                    ? make(account, verified)
                    : Mono.just(new VouchedResult.Throttled());
        });
    }

    private Mono<VouchedResult> make(NewAccount account, boolean verified) {
        return accounts.addWithoutPassword(account, passwords.nobodys(), verified ? clock.instant() : null)
                .flatMap(this::noted)
                .<VouchedResult>map(login -> new VouchedResult.Made(login.account(), login.id()))
                .defaultIfEmpty(new VouchedResult.Taken());
    }

    Mono<Boolean> works(Secret link) {
        return pending.byLink(link, clock.instant()).hasElement();
    }

    /**
     * Makes the account of a mailed link. The password is asked for again: else who gets a mail that a stranger asked for
     * could make an account of which the stranger knows the password. Empty when the link does not work (any more).
     */
    Mono<SignUpResult> confirm(Secret link, String password, Visitor visitor) {
        if (mode == SignUpMode.CLOSED) {
            return Mono.just(new SignUpResult.Closed());
        }
        return pending.byLink(link, clock.instant()).flatMap(asked -> confirm(asked, password, visitor));
    }

    private Mono<SignUpResult> confirm(Pending asked, String password, Visitor visitor) {
        Attempt attempt = Attempt.inSession("sign-up " + asked.email());
        if (!guessing.allows(attempt)) {
            return Mono.just(new SignUpResult.Throttled());
        }
        return passwords.matches(password, asked.passwordHash()).flatMap(right -> {
            if (!right) {
                guessing.failed(attempt);
                return Mono.just(new SignUpResult.WrongPassword());
            }
            return verified(asked, visitor);
        });
    }

    private Mono<SignUpResult> verified(Pending asked, Visitor visitor) {
        NewAccount account = new NewAccount(asked.email(), asked.name(), "");
        return pending.remove(asked.email())
                .then(make(account, asked.passwordHash(), clock.instant()))
                .flatMap(login -> entries.begin(login, visitor))
                .<SignUpResult>map(session -> new SignUpResult.Made(session, asked.next()))
                .defaultIfEmpty(new SignUpResult.Taken())
                .as(transaction::transactional);
    }

    /**
     * Empty when the address has an account.
     *
     * @param verified null: its address is not proven
     */
    private Mono<Login> make(NewAccount account, String hash, @Nullable Instant verified) {
        return accounts.add(account, hash, verified).flatMap(this::noted).as(transaction::transactional);
    }

    private Mono<Login> noted(Login login) {
        return audit.append(new AuditEvent(null, login.id(), "account.sign-up", login.id(), Map.of()))
                .thenReturn(login);
    }
}
