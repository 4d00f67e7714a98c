package dev.loomboard.mail;

import java.util.Map;

/**
 * A mail of plain text to one person.
 *
 * @param headers beside those that every mail has, by name; one line each
 */
public record Mail(String to, String subject, String text, Map<String, String> headers) {

    public Mail {
        headers = Map.copyOf(headers);
    }

    public Mail(String to, String subject, String text) {
        this(to, subject, text, Map.of());
    }
}
