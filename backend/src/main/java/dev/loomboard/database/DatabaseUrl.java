package dev.loomboard.database;

import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Address of a database, written {@code postgresql://user:password@host[:port]/database}. JDBC and R2DBC addresses
 * are derived from it, so that the two can never disagree.
 *
 * @param password never printed: {@link #toString} leaves it out
 * @param sslMode libpq's {@code sslmode}, or null when the address names none
 */
public record DatabaseUrl(
        String host,
        int port,
        String database,
        String user,
        String password,
        @Nullable String sslMode) {

    private static final int DEFAULT_PORT = 5432;

    /** Reads an address; the message of a refusal never repeats the password. */
    public static DatabaseUrl parse(String text) {
        URI uri;
        try {
            uri = URI.create(text.strip());
        } catch (IllegalArgumentException e) {
            throw refused("is not a URI; characters such as @ / : in the password must be percent-encoded");
        }
        if (!"postgresql".equals(uri.getScheme()) && !"postgres".equals(uri.getScheme())) {
            throw refused("must begin with postgresql://");
        }
        String userInfo = uri.getRawUserInfo();
        if (uri.getHost() == null || userInfo == null || !userInfo.contains(":")) {
            throw refused("must name user, password and host");
        }
        String path = uri.getRawPath();
        if (path == null || path.length() < 2) {
            throw refused("must name a database after the host");
        }
        int colon = userInfo.indexOf(':');
        return new DatabaseUrl(
                uri.getHost(),
                uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
                decode(path.substring(1)),
                decode(userInfo.substring(0, colon)),
                decode(userInfo.substring(colon + 1)),
                sslMode(uri.getRawQuery()));
    }

    public String jdbc() {
        String ssl = sslMode == null ? "" : "?sslmode=" + sslMode;
        return "jdbc:postgresql://" + host + ":" + port + "/" + encode(database) + ssl;
    }

    /** The same server and user, another database. */
    public DatabaseUrl withDatabase(String other) {
        return new DatabaseUrl(host, port, other, user, password, sslMode);
    }

    /** The form that {@link #parse} reads, password included: for handing on, never for a log. */
    public String withPassword() {
        String ssl = sslMode == null ? "" : "?sslmode=" + sslMode;
        return "postgresql://" + encode(user) + ":" + encode(password) + "@" + host + ":" + port + "/"
                + encode(database) + ssl;
    }

    @Override
    public String toString() {
        return "postgresql://" + user + "@" + host + ":" + port + "/" + database;
    }

    private static @Nullable String sslMode(@Nullable String query) {
        if (query == null) {
            return null;
        }
        String sslMode = null;
        for (String part : query.split("&", -1)) {
            if (!part.startsWith("sslmode=")) {
                throw refused("has an option other than sslmode");
            }
            sslMode = decode(part.substring("sslmode=".length()));
        }
        return sslMode;
    }

    private static IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("The database address " + why);
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
