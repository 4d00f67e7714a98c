package dev.loomboard.web.request;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;

/** The one encoding that answers have: every browser reads it, and the JDK writes it. */
final class Gzip {

    static final String NAME = "gzip";

    /** Of an accepted encoding, such as {@code gzip;q=0.5}; of no weight it is refused. */
    private static final Pattern ACCEPTED = Pattern.compile(
            "\\s*gzip\\s*(?:;\\s*q=(?:1(?:\\.0{0,3})?|0\\.(?=\\d*[1-9])\\d{1,3})\\s*)?", Pattern.CASE_INSENSITIVE);

    private static final List<MediaType> TEXTS = List.of(
            new MediaType("text"),
            MediaType.APPLICATION_JSON,
            MediaType.APPLICATION_XML,
            new MediaType("application", "*+json"),
            new MediaType("application", "*+xml"),
            new MediaType("image", "*+xml"));

    private Gzip() {}

    /** Only what is read: a form's answer may show a secret beside what its sender chose, from whose size one could guess it (BREACH). */
    static boolean isAsked(ServerHttpRequest request) {
        return HttpMethod.GET.equals(request.getMethod())
                && request.getHeaders().getValuesAsList(HttpHeaders.ACCEPT_ENCODING).stream()
                        .anyMatch(encoding -> ACCEPTED.matcher(encoding).matches());
    }

    /** Whether an answer of this type becomes smaller by it. */
    static boolean shortens(MediaType type) {
        return TEXTS.stream().anyMatch(texts -> texts.includes(type));
    }

    /** For caches, of an answer that would have been another one without. */
    static void vary(ServerHttpResponse response) {
        response.getHeaders().add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
    }

    /** @param level as of {@link java.util.zip.Deflater} */
    static byte[] of(byte[] plain, int level) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(plain.length / 4);
        try (OutputStream gzip = new Leveled(bytes, level)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail to be written", e);
        }
        return bytes.toByteArray();
    }

    private static final class Leveled extends GZIPOutputStream {

        Leveled(OutputStream out, int level) throws IOException {
            super(out);
            def.setLevel(level);
        }
    }
}
