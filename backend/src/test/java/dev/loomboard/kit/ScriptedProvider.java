package dev.loomboard.kit;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * A provider of OpenID Connect in this JVM, on a free port, that says what a test has it say. What it is asked it checks as a
 * real one does: the client's secret, the code's first use, its redirect address and its PKCE verifier.
 */
public final class ScriptedProvider {

    public static final String CLIENT = "loomboard";
    public static final String SECRET = "a secret/with + odd: characters";
    public static final String NAME = "Example <Id>";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int LIFE_SECONDS = 300;

    private final HttpServer server;
    private final ECKey key = key("first");
    private final Map<String, Grant> grants = new ConcurrentHashMap<>();
    private final Map<String, Map<String, Object>> told = new ConcurrentHashMap<>();
    private final AtomicInteger keyQuestions = new AtomicInteger();
    private volatile JWKSet keys = new JWKSet(key.toPublicJWK());

    private ScriptedProvider() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(
                Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory()));
        server.createContext("/.well-known/openid-configuration", exchange -> answer(exchange, 200, document()));
        server.createContext("/keys", exchange -> {
            keyQuestions.incrementAndGet();
            answer(exchange, 200, keys.toJSONObject());
        });
        server.createContext("/token", this::token);
        server.createContext("/person", this::person);
        server.start();
    }

    private static final class Shared {
        static final ScriptedProvider INSTANCE = new ScriptedProvider();
    }

    /** That of the shared service, started once per JVM. */
    public static ScriptedProvider shared() {
        return Shared.INSTANCE;
    }

    /**
     * What the provider says of somebody.
     *
     * @param token claims of the ID token, in place of what it would say else; null leaves one out
     * @param told what it tells whoever asks for the person by the access token
     * @param signedBy the key that signs the token
     */
    public record Says(Map<String, Object> token, Map<String, Object> told, ECKey signedBy) {}

    private record Grant(String redirect, String challenge, String nonce, Says says) {}

    public static ECKey key(String id) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    public String issuer() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    public int keyQuestions() {
        return keyQuestions.get();
    }

    /** Names these keys besides the first from now on. */
    public void publish(ECKey... further) {
        keys = new JWKSet(Stream.concat(Stream.of(key), Stream.of(further))
                .<JWK>map(ECKey::toPublicJWK)
                .toList());
    }

    public Says says(Map<String, Object> token) {
        return new Says(token, Map.of(), key);
    }

    /** Somebody whose address the provider vouches for. */
    public Says person(String subject, String email) {
        return says(Map.of("sub", subject, "email", email, "email_verified", true, "name", "Ann of Example"));
    }

    /** The path by which the browser comes back that was sent to {@code leaving}, once its person agreed. */
    public String agree(URI leaving, Says says) {
        Map<String, String> asked = query(leaving.getRawQuery());
        String code = UUID.randomUUID().toString();
        String redirect = asked.getOrDefault("redirect_uri", "");
        grants.put(
                code,
                new Grant(redirect, asked.getOrDefault("code_challenge", ""), asked.getOrDefault("nonce", ""), says));
        return URI.create(redirect).getPath() + "?code=" + code + "&state=" + asked.get("state");
    }

    public static Map<String, String> query(String raw) {
        Map<String, String> query = new HashMap<>();
        for (String pair : raw.split("&")) {
            int equals = pair.indexOf('=');
            query.put(
                    URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
                    URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return query;
    }

    public Map<String, Object> document() {
        String base = issuer();
        return Map.of(
                "issuer", base,
                "authorization_endpoint", base + "/authorize?tenant=1",
                "token_endpoint", base + "/token",
                "jwks_uri", base + "/keys",
                "userinfo_endpoint", base + "/person",
                "response_types_supported", new String[] {"code"});
    }

    private void token(HttpExchange exchange) throws IOException {
        Map<String, String> form = query(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        String pair = encoded(CLIENT) + ":" + encoded(SECRET);
        String basic = "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        if (!basic.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            answer(exchange, 401, Map.of("error", "invalid_client"));
            return;
        }
        Grant grant = grants.remove(form.getOrDefault("code", ""));
        if (grant == null
                || !grant.redirect().equals(form.get("redirect_uri"))
                || !grant.challenge().equals(challenge(form.getOrDefault("code_verifier", "")))) {
            answer(exchange, 400, Map.of("error", "invalid_grant"));
            return;
        }
        String access = UUID.randomUUID().toString();
        told.put(access, grant.says().told());
        answer(exchange, 200, Map.of("access_token", access, "token_type", "Bearer", "id_token", idToken(grant)));
    }

    private String idToken(Grant grant) {
        Instant now = Instant.now();
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .issuer(issuer())
                .audience(CLIENT)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(LIFE_SECONDS)))
                .claim("nonce", grant.nonce());
        grant.says().token().forEach(claims::claim);
        try {
            ECKey by = grant.says().signedBy();
            SignedJWT token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.ES256)
                            .keyID(by.getKeyID())
                            .build(),
                    claims.build());
            token.sign(new ECDSASigner(by));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private void person(HttpExchange exchange) throws IOException {
        String bearer = exchange.getRequestHeaders().getFirst("Authorization");
        Map<String, Object> claims = told.get(bearer == null ? "" : bearer.replaceFirst("^Bearer ", ""));
        answer(exchange, claims == null ? 401 : 200, claims == null ? Map.of() : claims);
    }

    private static String challenge(String verifier) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static void answer(HttpExchange exchange, int status, Map<String, Object> json) throws IOException {
        byte[] body = JSON.writeValueAsBytes(json);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        try (var out = exchange.getResponseBody()) {
            out.write(body);
        }
    }
}
