package dev.loomboard.outbox;

import dev.loomboard.kernel.Caller;
import dev.loomboard.mail.MailService;
import java.time.Clock;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** What a person does on the page of mails. */
@Service
class MailChoiceService {

    private final MailChoiceStore store;
    private final MailService mails;
    private final TransactionalOperator transaction;
    private final Clock clock;

    MailChoiceService(MailChoiceStore store, MailService mails, TransactionalOperator transaction, Clock clock) {
        this.store = store;
        this.mails = mails;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** @return why there will be no test mail; empty text: it is on its way */
    Mono<String> test(Caller.Person person, String workspace) {
        if (!mails.configured()) {
            return Mono.just("The operator of this service named no mail server.");
        }
        return store.lock(person)
                .then(store.address(person))
                .flatMap(address -> address.proven()
                        ? store.addTest(person, workspace, clock.instant())
                                .map(added -> added
                                        ? ""
                                        : "You asked for three test mails within an hour. Wait before you ask again.")
                        : Mono.just("Your address is not proven yet: no mail is sent to it."))
                .as(transaction::transactional);
    }

    Mono<MailChoicePage> page(Caller.Person person, String done, String refused) {
        return Mono.zip(store.of(person), store.sent(person), store.address(person))
                .map(found -> new MailChoicePage(
                        found.getT1(),
                        found.getT2(),
                        found.getT3().email(),
                        found.getT3().proven(),
                        mails.configured(),
                        null,
                        done.isEmpty() ? null : done,
                        refused.isEmpty() ? null : refused));
    }
}
