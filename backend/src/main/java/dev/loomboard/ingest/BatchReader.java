package dev.loomboard.ingest;

import static dev.loomboard.web.request.Problems.field;
import static dev.loomboard.web.request.Problems.where;

import dev.loomboard.kernel.Digest;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.kernel.WireName;
import dev.loomboard.measurement.Batch;
import dev.loomboard.measurement.Checked;
import dev.loomboard.measurement.EncodedHistogram;
import dev.loomboard.measurement.MixOperation;
import dev.loomboard.measurement.Step;
import dev.loomboard.measurement.Window;
import dev.loomboard.web.Problem;
import dev.loomboard.web.ReceivedBody;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.DigestInputStream;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.json.JsonMapper;

/** Reads the body of an upload. Pure: the same bytes always give the same. */
public final class BatchReader {

    private final JsonMapper json;

    /** @param json must read strictly: what is misspelt, doubled, trailing or of another type is refused */
    public BatchReader(JsonMapper json) {
        this.json = json.rebuild().addModule(Checked.module()).build();
    }

    public sealed interface Reading {}

    /**
     * @param quantiles of each window
     * @param sha256 of the body
     * @param size of the trial that it adds
     * @param stored what it takes of the workspace's quota
     */
    public record Sound(
            Batch batch, List<Window.Quantiles> quantiles, byte[] sha256, TrialSize size, StoredBytes stored)
            implements Reading {

        /** What it takes of the workspace's quota. */
        public long storedBytes() {
            return stored.all();
        }
    }

    public record Refused(Problem problem) implements Reading {}

    /** @param trialId as the path has it */
    public Reading read(String trialId, String seq, ReceivedBody body) {
        // The reader refuses what follows a batch, so it has read all of a sound one, and the digest is of all of it.
        try (DigestInputStream content = new DigestInputStream(body.open(), Digest.newSha256())) {
            Batch batch = json.readValue(content, Batch.class);
            if (batch == null) {
                return new Refused(Problem.invalid("(body)", "must be an object"));
            }
            if (!batch.trialId().equals(trialId)) {
                return new Refused(Problem.invalid("trialId", "must be the one in the path, " + trialId));
            }
            if (!Integer.toString(batch.seq()).equals(seq)) {
                return new Refused(Problem.invalid("seq", "must be the one in the path, " + seq));
            }
            long facts = facts(batch);
            return new Sound(
                    batch,
                    batch.windows().stream().map(Window::quantiles).toList(),
                    content.getMessageDigest().digest(),
                    TrialSize.of(batch, facts, body.size()),
                    StoredBytes.of(batch, facts));
        } catch (JacksonException e) {
            return new Refused(problem(e));
        } catch (IOException e) {
            throw new UncheckedIOException("a body in memory cannot fail to be read", e);
        }
    }

    private long facts(Batch batch) {
        long size = size(batch.start()) + size(batch.end());
        for (Step step : batch.steps()) {
            size += size(step.health()) + size(step.outcomes());
            for (MixOperation operation : step.operations()) {
                size += size(operation.errors());
            }
        }
        return size;
    }

    private long size(@Nullable Object facts) {
        return facts == null ? 0 : json.writeValueAsBytes(facts).length;
    }

    private static Problem problem(JacksonException error) {
        if (error.getPath().isEmpty() && error.getOriginalMessage().startsWith("Trailing token")) {
            return Problem.of(
                    400, "malformed-json", "Malformed JSON", "Something follows the batch" + where(error) + ".");
        }
        if (error instanceof InputCoercionException) { // a number that its field cannot hold
            return Problem.invalid(field(error), "must be a whole number that fits");
        }
        if (error instanceof ValueInstantiationException || error instanceof MismatchedInputException) {
            return Problem.invalid(field(error), what(error));
        }
        if (error instanceof StreamReadException) {
            return Problem.of(400, "malformed-json", "Malformed JSON", error.getOriginalMessage() + where(error));
        }
        return Problem.invalid(field(error), "cannot be read");
    }

    private static String what(JacksonException error) {
        return switch (error) {
            case UnrecognizedPropertyException unknown -> "is not a known field";
            case ValueInstantiationException refused ->
                switch (refused.getCause()) {
                    case FieldChecks.Refused check -> check.what();
                    case EncodedHistogram.Refusal hdr -> String.valueOf(hdr.getMessage());
                    case null, default -> "cannot be read";
                };
            case MismatchedInputException other -> "must be " + kind(other.getTargetType());
            case JacksonException other -> "cannot be read";
        };
    }

    private static String kind(@Nullable Class<?> type) {
        if (type == null) {
            return "there";
        }
        if (type == long.class || type == Long.class || type == int.class || type == Integer.class) {
            return "a whole number" + (type == int.class ? " of 32 bits" : "");
        }
        if (type == double.class || type == Double.class) {
            return "a number";
        }
        if (type == String.class || type == EncodedHistogram.class) {
            return "a text";
        }
        if (WireName.class.isAssignableFrom(type)) {
            return "one of " + WireName.choices(type.asSubclass(WireName.class));
        }
        return Collection.class.isAssignableFrom(type)
                ? "a list"
                : Map.class.isAssignableFrom(type) || type.isRecord() ? "an object" : "of another type";
    }
}
