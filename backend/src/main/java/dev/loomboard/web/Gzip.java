package dev.loomboard.web;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The one encoding that answers have: every browser reads it, and the JDK writes it. */
public final class Gzip {

    public static final String NAME = "gzip";

    private static final int SMALLEST = 1400;

    /** What is larger keeps others waiting while it is compressed. */
    private static final int LARGE = 64 * 1024;

    private static final int LEVEL = 4;

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
    public static boolean isAsked(ServerHttpRequest request) {
        return HttpMethod.GET.equals(request.getMethod())
                && request.getHeaders().getValuesAsList(HttpHeaders.ACCEPT_ENCODING).stream()
                        .anyMatch(encoding -> ACCEPTED.matcher(encoding).matches());
    }

    /** Whether an answer of this type becomes smaller by it. */
    public static boolean shortens(MediaType type) {
        return TEXTS.stream().anyMatch(texts -> texts.includes(type));
    }

    /** For caches, of an answer that would have been another one without. */
    public static void vary(HttpHeaders headers) {
        headers.add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
    }

    /** What is smaller takes one packet as it is. */
    public static boolean isWorthIt(int bytes) {
        return bytes >= SMALLEST;
    }

    /** An answer, which nobody else waits for while it is compressed. */
    public static Mono<byte[]> answer(byte[] plain) {
        Mono<byte[]> made = Mono.fromSupplier(() -> of(plain, LEVEL));
        return plain.length > LARGE ? made.subscribeOn(Schedulers.parallel()) : made;
    }

    public static byte[] unpacked(byte[] gzip) {
        try (InputStream plain = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
            return plain.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("what was compressed here is read here", e);
        }
    }

    /** @param level as of {@link java.util.zip.Deflater} */
    public static byte[] of(byte[] plain, int level) {
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
