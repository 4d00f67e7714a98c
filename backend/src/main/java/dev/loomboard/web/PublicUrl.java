package dev.loomboard.web;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;

/** The address under which others reach the service: as configured, else as the asking browser or script reached it. */
@Component
public class PublicUrl {

    private final String configured;

    PublicUrl(@Value("${loomboard.public-url}") String configured) {
        this.configured = configured.replaceAll("/+$", "");
    }

    /** Scheme, host and port, without a slash at the end. */
    public String of(ServerHttpRequest request) {
        return configured.isBlank()
                ? request.getURI().getScheme() + "://" + request.getURI().getRawAuthority()
                : configured;
    }
}
