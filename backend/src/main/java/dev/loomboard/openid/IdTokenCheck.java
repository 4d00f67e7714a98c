package dev.loomboard.openid;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.loomboard.kernel.Characters;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of OpenID Connect Core 1.0, section 3.1.3.7, for an ID token that came for a code. */
final class IdTokenCheck {

    /** By how much two clocks may differ. */
    static final Duration SKEW = Duration.ofSeconds(60);

    /** A token is made when its code is redeemed, so an older one was made for something else. */
    static final Duration OLDEST = Duration.ofMinutes(10);

    /** Each needs the provider's private key. HS256 and its like are signed by what the service knows too, "none" by nobody. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private static final int SMALLEST_RSA = 2048;
    private static final int LONGEST_SUBJECT = 255;

    private IdTokenCheck() {}

    /**
     * What must be in the token.
     *
     * @param askedAnewSince the provider must have asked the person since then; null: it may have known them from before
     */
    record Expected(
            String issuer,
            String clientId,
            String nonce,
            @Nullable Instant askedAnewSince) {}

    static IdTokenResult check(String token, JWKSet keys, Expected expected, Instant now) {
        try {
            SignedJWT jwt = SignedJWT.parse(token);
            IdTokenResult signature = signature(jwt, keys);
            return signature == null ? claims(jwt.getJWTClaimsSet(), expected, now) : signature;
        } catch (ParseException | IllegalArgumentException e) {
            return refused("it cannot be read");
        } catch (JOSEException e) {
            return refused("its signature cannot be checked");
        }
    }

    /** Null: it is good. */
    private static @Nullable IdTokenResult signature(SignedJWT jwt, JWKSet keys) throws JOSEException {
        JWSHeader header = jwt.getHeader();
        if (!ALGORITHMS.contains(header.getAlgorithm())) {
            return refused("it is signed by an algorithm that is not accepted");
        }
        if (header.getType() != null && !JOSEObjectType.JWT.equals(header.getType())) {
            return refused("it is no ID token");
        }
        List<JWK> fitting = new JWKSelector(JWKMatcher.forJWSHeader(header))
                .select(keys).stream().filter(IdTokenCheck::isStrong).toList();
        if (fitting.isEmpty()) {
            return new IdTokenResult.UnknownKey();
        }
        if (fitting.size() > 1) {
            return refused("it does not say which of several keys signed it");
        }
        boolean good = fitting.getFirst() instanceof AsymmetricJWK key
                && jwt.verify(new DefaultJWSVerifierFactory().createJWSVerifier(header, key.toPublicKey()));
        return good ? null : refused("its signature is wrong");
    }

    private static boolean isStrong(JWK key) {
        return !(key instanceof RSAKey) || key.size() >= SMALLEST_RSA;
    }

    private static IdTokenResult claims(JWTClaimsSet claims, Expected expected, Instant now) throws ParseException {
        if (!expected.issuer().equals(claims.getIssuer())) {
            return refused("it is from another provider");
        }
        String party = claims.getStringClaim("azp");
        List<String> audience = claims.getAudience();
        boolean forUs = audience.contains(expected.clientId())
                && (party == null ? audience.size() == 1 : party.equals(expected.clientId()));
        if (!forUs) {
            return refused("it is for another service");
        }
        Date expires = claims.getExpirationTime();
        if (expires == null || !expires.toInstant().plus(SKEW).isAfter(now)) {
            return refused("it has expired, or the clocks differ");
        }
        Date issued = claims.getIssueTime();
        if (issued == null
                || isLater(issued, now)
                || issued.toInstant().isBefore(now.minus(OLDEST).minus(SKEW))) {
            return refused("it was not made just now, or the clocks differ");
        }
        Date from = claims.getNotBeforeTime();
        if (from != null && isLater(from, now)) {
            return refused("it is not good yet, or the clocks differ");
        }
        if (!same(expected.nonce(), claims.getStringClaim("nonce"))) {
            return refused("it was made for another sign-in");
        }
        String subject = claims.getSubject();
        if (subject == null
                || subject.isBlank()
                || subject.length() > LONGEST_SUBJECT
                || Characters.unstorable(subject) != null) {
            return refused("it names nobody");
        }
        return wasAskedAnew(claims, expected.askedAnewSince())
                ? new IdTokenResult.Good(new IdToken(subject, Profile.of(claims.getClaims())))
                : new IdTokenResult.NotAnew();
    }

    /** A provider that does not say when is taken not to have asked: it may ignore the request to do so. */
    private static boolean wasAskedAnew(JWTClaimsSet claims, @Nullable Instant since) throws ParseException {
        if (since == null) {
            return true;
        }
        Date asked = claims.getDateClaim("auth_time");
        return asked != null && !asked.toInstant().plus(SKEW).isBefore(since);
    }

    private static boolean isLater(Date date, Instant now) {
        return date.toInstant().isAfter(now.plus(SKEW));
    }

    private static boolean same(String expected, @Nullable String sent) {
        return sent != null
                && MessageDigest.isEqual(
                        expected.getBytes(StandardCharsets.US_ASCII), sent.getBytes(StandardCharsets.UTF_8));
    }

    private static IdTokenResult refused(String why) {
        return new IdTokenResult.Refused(why);
    }
}
