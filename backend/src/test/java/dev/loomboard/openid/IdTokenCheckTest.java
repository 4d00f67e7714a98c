package dev.loomboard.openid;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.loomboard.openid.IdTokenCheck.Expected;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IdTokenCheckTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final String ISSUER = "https://login.example.org";
    private static final Expected EXPECTED = new Expected(ISSUER, "loomboard", "the nonce", null);
    private static final ECKey KEY = ec("one");
    private static final ECKey OTHER = ec("two");
    private static final RSAKey RSA = rsa(2048);
    private static final JWKSet KEYS = new JWKSet(List.of(KEY.toPublicJWK(), OTHER.toPublicJWK(), RSA.toPublicJWK()));

    @Test
    void token_of_the_provider_for_this_visit_is_good() throws JOSEException {
        assertThat(check(signed(claims(c -> c)), KEYS))
                .isEqualTo(new IdTokenResult.Good(new IdToken("ann", new Profile("ann@example.org", true, "Ann"))));
        for (JWSAlgorithm algorithm : List.of(JWSAlgorithm.RS256, JWSAlgorithm.PS512)) {
            JWSHeader header = new JWSHeader.Builder(algorithm)
                    .keyID("rsa")
                    .type(JOSEObjectType.JWT)
                    .build();
            assertThat(check(signed(header, claims(c -> c), new RSASSASigner(RSA)), KEYS))
                    .isInstanceOf(IdTokenResult.Good.class);
        }
    }

    @Test
    void issuer_must_be_the_one_that_is_configured() throws JOSEException {
        assertRefused(claims(c -> c.issuer("https://evil.example.org")), "from another provider");
        assertRefused(claims(c -> c.issuer(ISSUER + "/")), "from another provider");
        assertRefused(claims(c -> c.issuer(null)), "from another provider");
    }

    @Test
    void token_must_be_for_this_service() throws JOSEException {
        assertRefused(claims(c -> c.audience("another")), "for another service");
        assertRefused(claims(c -> c.audience((String) null)), "for another service");
        assertRefused(claims(c -> c.audience(List.of("loomboard", "another"))), "for another service");
        assertRefused(
                claims(c -> c.audience(List.of("loomboard", "another")).claim("azp", "another")),
                "for another service");
        assertRefused(claims(c -> c.claim("azp", "another")), "for another service");
        assertThat(check(
                        signed(claims(
                                c -> c.audience(List.of("loomboard", "another")).claim("azp", "loomboard"))),
                        KEYS))
                .isInstanceOf(IdTokenResult.Good.class);
    }

    @Test
    void times_may_differ_by_a_minute_and_no_more() throws JOSEException {
        assertGood(claims(c -> c.expirationTime(at(-59))));
        assertRefused(claims(c -> c.expirationTime(at(-60))), "expired");
        assertRefused(claims(c -> c.expirationTime(null)), "expired");
        assertGood(claims(c -> c.issueTime(at(60))));
        assertRefused(claims(c -> c.issueTime(at(61))), "not made just now");
        assertGood(claims(c -> c.issueTime(at(-660))));
        assertRefused(claims(c -> c.issueTime(at(-661))), "not made just now");
        assertRefused(claims(c -> c.issueTime(null)), "not made just now");
        assertRefused(claims(c -> c.notBeforeTime(at(61))), "not good yet");
    }

    @Test
    void nonce_must_be_that_of_the_visit() throws JOSEException {
        assertRefused(claims(c -> c.claim("nonce", "another")), "another sign-in");
        assertRefused(claims(c -> c.claim("nonce", null)), "another sign-in");
        assertRefused(claims(c -> c.claim("nonce", 7)), "cannot be read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\0"})
    void subject_must_name_somebody(String subject) throws JOSEException {
        assertRefused(claims(c -> c.subject(subject)), "names nobody");
    }

    @Test
    void subject_is_there_and_not_longer_than_the_standard_lets_it_be() throws JOSEException {
        assertRefused(claims(c -> c.subject(null)), "names nobody");
        assertGood(claims(c -> c.subject("s".repeat(255))));
        assertRefused(claims(c -> c.subject("s".repeat(256))), "names nobody");
    }

    @Test
    void unsigned_token_is_refused() throws JOSEException {
        String none = new PlainJWT(claims(c -> c)).serialize();
        assertThat(check(none, KEYS)).isInstanceOf(IdTokenResult.Refused.class);
        String good = signed(claims(c -> c));
        assertThat(check(good.substring(0, good.lastIndexOf('.') + 1), KEYS)).isInstanceOf(IdTokenResult.Refused.class);
        assertThat(check("", KEYS)).isInstanceOf(IdTokenResult.Refused.class);
        assertThat(check("a.b.c.d.e", KEYS)).isInstanceOf(IdTokenResult.Refused.class);
    }

    /** The old trick: the public key, which everybody has, as the secret of HMAC. */
    @Test
    void public_key_does_not_sign() throws JOSEException {
        for (byte[] secret : List.of(
                RSA.toRSAPublicKey().getEncoded(),
                RSA.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8),
                "a secret of the client, long enough".getBytes(StandardCharsets.UTF_8))) {
            for (String kid : Arrays.asList("rsa", "one", null)) {
                JWSHeader header =
                        new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(kid).build();
                assertThat(check(signed(header, claims(c -> c), new MACSigner(secret)), KEYS))
                        .isEqualTo(new IdTokenResult.Refused("it is signed by an algorithm that is not accepted"));
            }
        }
    }

    @Test
    void other_key_is_told_from_a_wrong_signature() throws JOSEException {
        assertThat(check(signed(header("three"), claims(c -> c), new ECDSASigner(ec("three"))), KEYS))
                .isInstanceOf(IdTokenResult.UnknownKey.class);
        assertThat(check(signed(header("one"), claims(c -> c), new ECDSASigner(ec("one"))), KEYS))
                .isEqualTo(new IdTokenResult.Refused("its signature is wrong"));
        assertThat(check(signed(header("two"), claims(c -> c), new ECDSASigner(KEY)), KEYS))
                .isEqualTo(new IdTokenResult.Refused("its signature is wrong"));
        String good = signed(claims(c -> c));
        String another = signed(claims(c -> c.subject("bob")));
        String joined = another.substring(0, another.lastIndexOf('.')) + good.substring(good.lastIndexOf('.'));
        assertThat(check(joined, KEYS)).isEqualTo(new IdTokenResult.Refused("its signature is wrong"));
    }

    @Test
    void token_without_a_key_id_is_good_where_one_key_fits() throws JOSEException {
        String token = signed(header(null), claims(c -> c), new ECDSASigner(KEY));
        assertThat(check(token, new JWKSet(List.of(KEY.toPublicJWK(), RSA.toPublicJWK()))))
                .isInstanceOf(IdTokenResult.Good.class);
        assertThat(check(token, KEYS))
                .isEqualTo(new IdTokenResult.Refused("it does not say which of several keys signed it"));
        assertThat(check(token, new JWKSet(OTHER.toPublicJWK())))
                .isEqualTo(new IdTokenResult.Refused("its signature is wrong"));
        assertThat(check(token, new JWKSet())).isInstanceOf(IdTokenResult.UnknownKey.class);
    }

    @Test
    void weak_key_and_key_for_something_else_are_none() throws JOSEException {
        RSAKey weak = rsa(1024);
        JWSHeader header =
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("rsa").build();
        String token = signed(header, claims(c -> c), new RSASSASigner(weak.toRSAPrivateKey(), true));
        assertThat(check(token, new JWKSet(weak.toPublicJWK()))).isInstanceOf(IdTokenResult.UnknownKey.class);
        ECKey sealing = new ECKey.Builder(KEY).keyUse(KeyUse.ENCRYPTION).build();
        assertThat(check(signed(claims(c -> c)), new JWKSet(sealing.toPublicJWK())))
                .isInstanceOf(IdTokenResult.UnknownKey.class);
    }

    @Test
    void token_of_another_kind_and_one_with_rules_of_its_own_are_refused() throws JOSEException {
        JWSHeader access = new JWSHeader.Builder(JWSAlgorithm.ES256)
                .keyID("one")
                .type(new JOSEObjectType("at+jwt"))
                .build();
        assertThat(check(signed(access, claims(c -> c), new ECDSASigner(KEY)), KEYS))
                .isEqualTo(new IdTokenResult.Refused("it is no ID token"));
        JWSHeader critical = new JWSHeader.Builder(JWSAlgorithm.ES256)
                .keyID("one")
                .criticalParams(Set.of("odd"))
                .customParam("odd", 1)
                .build();
        ECDSASigner signer = new ECDSASigner(KEY);
        assertThat(check(signed(critical, claims(c -> c), signer), KEYS)).isInstanceOf(IdTokenResult.Refused.class);
    }

    @Test
    void who_must_be_asked_anew_was() throws JOSEException {
        Expected anew = new Expected(ISSUER, "loomboard", "the nonce", NOW.minusSeconds(30));
        assertThat(IdTokenCheck.check(signed(claims(c -> c.claim("auth_time", seconds(-10)))), KEYS, anew, NOW))
                .isInstanceOf(IdTokenResult.Good.class);
        assertThat(IdTokenCheck.check(signed(claims(c -> c.claim("auth_time", seconds(-91)))), KEYS, anew, NOW))
                .isInstanceOf(IdTokenResult.NotAnew.class);
        assertThat(IdTokenCheck.check(signed(claims(c -> c)), KEYS, anew, NOW))
                .isInstanceOf(IdTokenResult.NotAnew.class);
    }

    @Test
    void address_is_verified_only_where_the_provider_says_so() {
        assertThat(Profile.of(Map.of("email", "a@b.c")).verified()).isFalse();
        assertThat(Profile.of(Map.of("email", "a@b.c", "email_verified", false)).verified())
                .isFalse();
        assertThat(Profile.of(Map.of("email", "a@b.c", "email_verified", 1)).verified())
                .isFalse();
        assertThat(Profile.of(Map.of("email", "a@b.c", "email_verified", "true"))
                        .verified())
                .isTrue();
        Profile unverified = new Profile("own@b.c", false, "");
        assertThat(unverified.or(new Profile("other@b.c", true, "Ann")))
                .as("what it says of another address is not taken for this one")
                .isEqualTo(new Profile("own@b.c", false, "Ann"));
    }

    private static void assertGood(JWTClaimsSet claims) throws JOSEException {
        assertThat(check(signed(claims), KEYS)).isInstanceOf(IdTokenResult.Good.class);
    }

    private static void assertRefused(JWTClaimsSet claims, String why) throws JOSEException {
        assertThat(check(signed(claims), KEYS))
                .isInstanceOfSatisfying(
                        IdTokenResult.Refused.class,
                        refused -> assertThat(refused.why()).contains(why));
    }

    private static IdTokenResult check(String token, JWKSet keys) {
        return IdTokenCheck.check(token, keys, EXPECTED, NOW);
    }

    private static JWTClaimsSet claims(UnaryOperator<JWTClaimsSet.Builder> change) {
        return change.apply(new JWTClaimsSet.Builder()
                        .issuer(ISSUER)
                        .audience("loomboard")
                        .subject("ann")
                        .issueTime(at(-5))
                        .expirationTime(at(300))
                        .claim("nonce", "the nonce")
                        .claim("email", "ann@example.org")
                        .claim("email_verified", true)
                        .claim("name", "Ann"))
                .build();
    }

    private static String signed(JWTClaimsSet claims) throws JOSEException {
        return signed(header("one"), claims, new ECDSASigner(KEY));
    }

    private static String signed(JWSHeader header, JWTClaimsSet claims, JWSSigner signer) throws JOSEException {
        SignedJWT token = new SignedJWT(header, claims);
        token.sign(signer);
        return token.serialize();
    }

    private static JWSHeader header(@Nullable String kid) {
        return new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(kid).build();
    }

    private static Date at(long seconds) {
        return Date.from(NOW.plusSeconds(seconds));
    }

    private static long seconds(long seconds) {
        return NOW.plusSeconds(seconds).getEpochSecond();
    }

    private static ECKey ec(String kid) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(kid).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RSAKey rsa(int bits) {
        try {
            return new RSAKeyGenerator(bits, true).keyID("rsa").generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
