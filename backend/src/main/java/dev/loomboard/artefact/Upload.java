package dev.loomboard.artefact;

import dev.loomboard.kernel.Digest;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.web.Problem;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Reads an artefact. Pure: the same bytes always give the same. */
public sealed interface Upload {

    int MOST_BYTES = 8 * 1024 * 1024;

    /** A stack and its samples: frames from the outermost, joined by semicolons. */
    Pattern STACK = Pattern.compile("[^\\s;][^\\s]* [1-9][0-9]{0,17}");

    record Sound(ArtefactName name, byte[] sha256, byte[] content) implements Upload {}

    record Refused(Problem problem) implements Upload {}

    /**
     * @param file as the path has it
     * @param sha256 as the header has it
     * @param json must read strictly; what it refuses is thrown
     */
    static Upload read(String file, @Nullable String sha256, byte[] content, JsonMapper json) {
        ArtefactName name = ArtefactName.of(file).orElse(null);
        if (name == null) {
            return new Refused(Problem.gone("unknown-artefact", "This service keeps no artefact named " + file + "."));
        }
        if (content.length > MOST_BYTES) {
            return new Refused(Problem.of(
                    413,
                    "too-large",
                    "Too large",
                    "An artefact must have at most " + MOST_BYTES + " bytes, has " + content.length + "."));
        }
        byte[] digest = Digest.sha256(content);
        if (sha256 == null
                || !FieldChecks.SHA256.matcher(sha256).matches()
                || !MessageDigest.isEqual(digest, HexFormat.of().parseHex(sha256))) {
            return new Refused(Problem.invalid(
                    "Loomboard-Sha256",
                    "must be the digest of the content, " + HexFormat.of().formatHex(digest)));
        }
        String wrong = switch (name) {
            case DIAGNOSIS -> absent(json.readValue(content, Diagnosis.class));
            case CLASSES -> absent(json.readValue(content, Classes.class));
            case STACKS -> wrongStacks(content);
            case JVM_LOG, OUTPUT, CRASH, THREADS -> text(content) == null ? "must be a text in UTF-8" : null;
        };
        return wrong == null ? new Sound(name, digest, content) : new Refused(Problem.invalid("(body)", wrong));
    }

    private static @Nullable String absent(@Nullable Object document) {
        return document == null ? "must be an object" : null;
    }

    private static @Nullable String wrongStacks(byte[] content) {
        String text = text(content);
        if (text == null) {
            return "must be a text in UTF-8";
        }
        int line = 1;
        for (String stack : (Iterable<String>) text.lines()::iterator) {
            if (!STACK.matcher(stack).matches()) {
                return "must have a stack, a space and a number of samples in each line; line " + line + " has not";
            }
            line++;
        }
        return null;
    }

    private static @Nullable String text(byte[] content) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
