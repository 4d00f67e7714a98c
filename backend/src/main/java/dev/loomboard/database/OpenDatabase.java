package dev.loomboard.database;

import dev.loomboard.kernel.StartupRefusal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The database while a service or a command uses it; closing it stops the embedded server, if it was started for that. */
public record OpenDatabase(DatabaseUrl url, @Nullable EmbeddedPostgres embedded) implements AutoCloseable {

    /**
     * @param url address of a PostgreSQL; blank: start the embedded one
     * @param data folder of the embedded one
     */
    public static OpenDatabase open(@Nullable String url, Path data) {
        if (url == null || url.isBlank()) {
            EmbeddedPostgres embedded = EmbeddedPostgres.start(data, EmbeddedPostgres.Durability.FULL);
            return new OpenDatabase(embedded.url(), embedded);
        }
        try {
            return new OpenDatabase(DatabaseUrl.parse(url), null);
        } catch (IllegalArgumentException e) {
            throw new StartupRefusal(
                    e.getMessage() + ".",
                    "Set LOOMBOARD_DATABASE_URL to postgresql://user:password@host:port/database,"
                            + " or leave it out to use the embedded PostgreSQL.");
        }
    }

    /** For reading, also while a service runs on the same folder. */
    public static OpenDatabase besideAService(@Nullable String url, Path data) {
        if (url != null && !url.isBlank()) {
            return open(url, data);
        }
        try {
            Optional<DatabaseUrl> running = EmbeddedPostgres.ofAnother(data);
            return running.isPresent() ? new OpenDatabase(running.get(), null) : open(url, data);
        } catch (IOException e) {
            throw new StartupRefusal(
                    "The data folder " + data + " cannot be read: " + e.getMessage() + ".",
                    "Run this as the user who runs the service, or set LOOMBOARD_DATA to its folder.",
                    e);
        }
    }

    @Override
    public void close() throws IOException {
        if (embedded != null) {
            embedded.close();
        }
    }
}
