package dev.loomboard.signing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.audit.AuditStore;
import dev.loomboard.cli.Commands;
import dev.loomboard.kit.OneAtATime;
import dev.loomboard.kit.StoreTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;

/** What is signed, by which key, and how a key gives way to the next. */
@OneAtATime
final class SigningTest extends StoreTest {

    /** What X.509 writes before the 32 bytes of an Ed25519 key. */
    private static final byte[] X509 = HexFormat.of().parseHex("302a300506032b6570032100");

    private final SigningKeyStore keys = new SigningKeyStore(database);
    private final SigningService signing = new SigningService(keys, new AuditStore(database, json), transaction);

    @BeforeEach
    void noKey() {
        execute("delete from signing_key");
    }

    @ParameterizedTest
    @CsvSource({"signed-assignment.json, ASSIGNMENT", "signed-server-list.json, SERVER_LIST"})
    void golden_example_which_the_agent_reads_too_is_signed_to_the_byte(String file, SignedMessage kind)
            throws IOException {
        JsonNode example = json.readTree(Files.readString(Path.of("api/examples", file)));
        byte[] signature = Ed25519.sign(
                Base64.getDecoder().decode(example.get("privateKey").asString()),
                kind.before(
                        example.get("machineId").asString(),
                        example.get("nonce").asString()),
                example.get("body").asString().getBytes(StandardCharsets.UTF_8));
        byte[] publicKey = Base64.getDecoder().decode(example.get("publicKey").asString());
        assertThat(Ed25519.id(publicKey) + " " + Base64.getEncoder().encodeToString(signature))
                .isEqualTo(example.get("signature").asString());
    }

    @Test
    void key_is_made_when_it_is_first_needed_and_once_however_many_ask() {
        Set<String> ids = await(Flux.range(0, 8)
                        .flatMap(i -> signing.present().subscribeOn(Schedulers.boundedElastic()), 8)
                        .collectList())
                .stream()
                .map(SigningKey::id)
                .collect(Collectors.toSet());
        assertThat(ids).hasSize(1);
        assertThat(await(signing.all())).singleElement().satisfies(key -> {
            assertThat(key.announcement()).isNull();
            assertThat(key.id()).isEqualTo(Ed25519.id(raw(key)));
        });
    }

    @Test
    void signature_is_of_machine_nonce_and_body() throws GeneralSecurityException {
        byte[] body = "{\"runId\": \"ö\"}".getBytes(StandardCharsets.UTF_8);
        String header = await(signing.sign(SignedMessage.ASSIGNMENT, "mac_a", "nonce", body));
        SigningKey key = await(signing.present());
        assertThat(header).startsWith(key.id() + " ");
        byte[] signature = Base64.getDecoder().decode(header.substring(header.indexOf(' ') + 1));
        assertThat(verifies(raw(key), signature, "loomboard.assignment/1\nmac_a\nnonce\n{\"runId\": \"ö\"}"))
                .isTrue();
        assertThat(verifies(raw(key), signature, "loomboard.assignment/1\nmac_b\nnonce\n{\"runId\": \"ö\"}"))
                .isFalse();
    }

    @Test
    void what_is_signed_as_one_kind_is_signed_as_no_other() throws GeneralSecurityException {
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        String header = await(signing.sign(SignedMessage.SERVER_LIST, "mac_a", "nonce", body));
        byte[] key = raw(await(signing.present()));
        byte[] signature = Base64.getDecoder().decode(header.substring(header.indexOf(' ') + 1));
        assertThat(verifies(key, signature, "loomboard.server-list/1\nmac_a\nnonce\n{}"))
                .isTrue();
        assertThat(verifies(key, signature, "loomboard.assignment/1\nmac_a\nnonce\n{}"))
                .isFalse();
        List<String> starts = Stream.concat(
                        Stream.of(SigningService.KEY),
                        Arrays.stream(SignedMessage.values()).map(SignedMessage::start))
                .toList();
        assertThat(starts).allSatisfy(start -> {
            assertThat(start).endsWith("\n");
            assertThat(starts.stream().filter(other -> other.startsWith(start)))
                    .as("one that begins as another could be taken for it")
                    .hasSize(1);
        });
    }

    @Test
    void command_rotates_the_key_which_the_one_before_announces_and_forgets_its_private_half()
            throws GeneralSecurityException {
        SigningKey first = await(signing.present());
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        assertThat(Commands.run(
                        List.of("rotate-signing-key"), out, out, "--loomboard.database.url=" + url.withPassword()))
                .as("%s", said)
                .isZero();
        List<SigningKey> all = await(signing.all());
        assertThat(all).hasSize(2).first().isEqualTo(first);
        SigningKey next = all.getLast();
        assertThat(said.toString(StandardCharsets.UTF_8)).contains(next.id());
        assertThat(await(signing.present())).isEqualTo(next);
        byte[] announced = new byte[24 + 32];
        System.arraycopy(Ed25519.ascii("loomboard.signing-key/1\n"), 0, announced, 0, 24);
        System.arraycopy(raw(next), 0, announced, 24, 32);
        assertThat(verifies(raw(first), Base64.getDecoder().decode(next.announcement()), announced))
                .isTrue();
        assertThat(number("select count(*) from signing_key where private_key is null and replaced_at is not null"))
                .isEqualTo(1);
        assertThat(number("select count(*) from audit_event where action = 'signing.rotate' and subject = '" + next.id()
                        + "' and detail ->> 'replaced' = '" + first.id() + "'"))
                .isEqualTo(1);
    }

    private static byte[] raw(SigningKey key) {
        return Base64.getDecoder().decode(key.publicKey());
    }

    private static boolean verifies(byte[] key, byte[] signature, String text) throws GeneralSecurityException {
        return verifies(key, signature, text.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean verifies(byte[] key, byte[] signature, byte[] text) throws GeneralSecurityException {
        byte[] encoded = new byte[X509.length + key.length];
        System.arraycopy(X509, 0, encoded, 0, X509.length);
        System.arraycopy(key, 0, encoded, X509.length, key.length);
        Signature verifier = Signature.getInstance("Ed25519");
        verifier.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded)));
        verifier.update(text);
        return verifier.verify(signature);
    }
}
