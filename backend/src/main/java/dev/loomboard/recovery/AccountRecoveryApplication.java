package dev.loomboard.recovery;

import dev.loomboard.audit.AuditStore;
import dev.loomboard.credential.AccountLinkStore;
import dev.loomboard.credential.AccountStore;
import dev.loomboard.database.CommandApplication;
import dev.loomboard.kernel.Secret;
import dev.loomboard.twostep.TotpStore;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.PublicUrl;
import java.io.PrintStream;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Import;

/** The operator's commands for people who are locked out, on the database of the service, which may be running. */
@Import({
    AccountStore.class,
    AccountLinkStore.class,
    TotpStore.class,
    AuditStore.class,
    AccountRecoveryService.class,
    PublicUrl.class
})
public class AccountRecoveryApplication extends CommandApplication {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int REFUSED = 1;

    /**
     * Prints a one-time link to a new password.
     *
     * @param byMail the operator sends it to the account's address, and nowhere else: it then proves that
     * @param settings as on a command line, such as {@code --loomboard.database.url=…}; absent: those of the environment
     * @return the exit code: 0 printed, 1 there is no such account, 2 the database gives no answer
     */
    public static int resetPassword(
            String email, boolean byMail, PrintStream out, PrintStream err, String... settings) {
        return run(err, settings, context -> {
            Secret link = context.getBean(AccountRecoveryService.class)
                    .resetLink(email, byMail)
                    .block(TIMEOUT);
            if (link == null) {
                return refused(email, err);
            }
            String url = context.getBean(PublicUrl.class).trusted() + PeopleUrls.resetPassword(link.value());
            out.printf("Works once, for %d minutes: %s%n", PasswordResetService.LINK_LIFE.toMinutes(), url);
            return 0;
        });
    }

    /** As {@link #resetPassword}: no code is asked for at the account's next sign-in. */
    public static int disableTwoStep(String email, PrintStream out, PrintStream err, String... settings) {
        return run(err, settings, context -> {
            Boolean was = context.getBean(AccountRecoveryService.class)
                    .disableTwoStep(email)
                    .block(TIMEOUT);
            if (was == null) {
                return refused(email, err);
            }
            out.println(
                    was
                            ? "The two-step sign-in of " + email + " is off."
                            : "The two-step sign-in of " + email + " was off already.");
            return 0;
        });
    }

    private static int refused(@Nullable String email, PrintStream err) {
        err.println("No account that may sign in has the address " + email + ".");
        return REFUSED;
    }

    private static int run(PrintStream err, String[] settings, Command command) {
        String[] all = Stream.concat(Stream.of("--loomboard.database.shared=true"), Stream.of(settings))
                .toArray(String[]::new);
        return run(AccountRecoveryApplication.class, err, all, command);
    }
}
