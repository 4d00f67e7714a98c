package dev.loomboard.web;

import java.util.Locale;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.env.Environment;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;

/** The address under which others reach the service: as configured, else as the asking browser or script reached it. */
@Component
public class PublicUrl {

    private final String configured;

    private final Environment environment;

    public PublicUrl(@Value("${loomboard.public-url}") String configured, Environment environment) {
        this.configured = configured.replaceAll("/+$", "");
        this.environment = environment;
    }

    /**
     * For links that are mailed or printed, which must not depend on a request: a caller could name another host. Without a
     * slash at the end.
     */
    public String trusted() {
        return configured.isBlank() ? local() : configured;
    }

    private String local() {
        String port = environment.getProperty("local.server.port");
        String scheme = environment.containsProperty("server.ssl.bundle") ? "https" : "http";
        return scheme + "://localhost:" + (port == null ? environment.getProperty("server.port", "8080") : port);
    }

    /** True when browsers reach the service by https, also behind a proxy that does not say so. */
    public boolean secure(ServerHttpRequest request) {
        return configured.toLowerCase(Locale.ROOT).startsWith("https://")
                || "https".equals(request.getURI().getScheme());
    }

    /**
     * For answers that others than the one who asked may be shown, such as feeds: empty unless it is configured, so that
     * links are relative. The header Host is the asker's own word.
     */
    public String configured() {
        return configured;
    }

    /** Scheme, host and port, without a slash at the end; for answers to the one who asked alone. */
    public String of(ServerHttpRequest request) {
        return configured.isBlank()
                ? request.getURI().getScheme() + "://" + request.getURI().getRawAuthority()
                : configured;
    }
}
