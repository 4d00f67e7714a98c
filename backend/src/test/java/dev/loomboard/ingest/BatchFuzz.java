package dev.loomboard.ingest;

import dev.loomboard.kernel.Digest;
import dev.loomboard.web.ReceivedBody;
import dev.loomboard.web.StrictJson;
import java.util.Arrays;

/** Whatever is uploaded as a batch is taken with its own digest, or refused as what the client caused. */
public final class BatchFuzz {

    private static final BatchReader READER = new BatchReader(StrictJson.mapper());

    private BatchFuzz() {}

    /** The path is that of the first of the seeds, so that most of what is tried gets past it. */
    public static void fuzzerTestOneInput(byte[] input) {
        switch (READER.read("trl_aaaaaaaaaaaaaaaaaaaa", "0", ReceivedBody.plain(input))) {
            case BatchReader.Sound sound -> {
                if (!Arrays.equals(sound.sha256(), Digest.sha256(input))) {
                    throw new AssertionError("another digest");
                }
            }
            case BatchReader.Refused refused -> {
                if (refused.problem().status() / 100 != 4) {
                    throw new AssertionError("refused by " + refused.problem());
                }
            }
        }
    }
}
