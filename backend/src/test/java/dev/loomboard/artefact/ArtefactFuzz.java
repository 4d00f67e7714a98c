package dev.loomboard.artefact;

import dev.loomboard.kernel.Digest;
import dev.loomboard.web.StrictJson;
import java.util.Arrays;
import java.util.HexFormat;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Whatever is uploaded as an artefact is refused, or can be shown. The first byte says which artefact it is said to be. */
public final class ArtefactFuzz {

    private static final JsonMapper JSON = StrictJson.mapper();

    private ArtefactFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        ArtefactName name = ArtefactName.values()[Math.floorMod(input[0], ArtefactName.values().length)];
        byte[] content = Arrays.copyOfRange(input, 1, input.length);
        String sha256 = HexFormat.of().formatHex(Digest.sha256(content));
        try {
            switch (Upload.read(name.file(), sha256, content, JSON)) {
                case Upload.Sound sound -> {
                    if (sound.name() != name) {
                        throw new AssertionError("taken as " + sound.name());
                    }
                }
                case Upload.Refused refused -> {
                    if (refused.problem().status() / 100 != 4) {
                        throw new AssertionError("refused by " + refused.problem());
                    }
                }
            }
        } catch (JacksonException e) { // answered as malformed
            return;
        }
    }
}
