package dev.loomboard.credential;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kit.Service;
import java.time.Duration;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;

/** New people of the shared service, who can sign in. */
public final class People {

    public static final String PASSWORD = "correct horse battery";

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final class Hash {
        static final String OF_PASSWORD = Objects.requireNonNull(
                Service.shared().bean(PasswordService.class).hash(PASSWORD).block(TIMEOUT));
    }

    private People() {}

    /** The address of a new person. */
    public static String person() {
        String email = email();
        Service.shared()
                .bean(DatabaseClient.class)
                .sql(
                        "insert into account (external_id, email, display_name, password_hash) values (:id, :email, 'Somebody', :hash)")
                .bind("id", ExternalId.random("acc").value())
                .bind("email", email)
                .bind("hash", Hash.OF_PASSWORD)
                .then()
                .block(TIMEOUT);
        return email;
    }

    /** An address that has no account. */
    public static String email() {
        return ExternalId.random("acc").value().substring(4) + "@example.org";
    }
}
