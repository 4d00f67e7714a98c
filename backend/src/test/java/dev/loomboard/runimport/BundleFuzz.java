package dev.loomboard.runimport;

import dev.loomboard.bundle.BundleRefusal;
import dev.loomboard.bundle.MemberNames;
import dev.loomboard.bundle.Zips;
import dev.loomboard.web.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Whatever is given as a bundle is taken whole, or refused in words. What begins as a ZIP is one; of anything else the first byte says which
 * member of a sound bundle the rest stands for, so that what is tried gets past the container.
 */
public final class BundleFuzz {

    private static final BundleReader READER = new BundleReader(StrictJson.mapper());
    private static final String SOUND = "/fuzz/BundleFuzz/sound.zip"; // make fuzz runs in another folder than the tests
    private static final List<String> MEMBERS = List.of(
            MemberNames.RUN,
            MemberNames.MANIFEST,
            "trials/001/batch-00000.json",
            "trials/002/artefacts/stacks.txt",
            MemberNames.TABLE);

    private static final class Given {
        private static final byte[] SOUND_BYTES = sound();
        private static final Path FILE = file();
    }

    private BundleFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        try (BundleFile file = BundleFile.open(write(bundle(input)))) {
            BundleReader.Sound sound = READER.read(file);
            if (!sound.run().id().equals(sound.manifest().origin().run())) {
                throw new AssertionError("taken as another run");
            }
        } catch (BundleRefusal e) {
            if (e.words().isBlank() || e.words().chars().anyMatch(c -> c < ' ')) {
                throw new AssertionError("refused without words that can be shown: " + e.words(), e);
            }
        }
    }

    private static byte[] bundle(byte[] input) {
        if (input[0] == 'P') {
            return input;
        }
        String name = MEMBERS.get(Math.floorMod(input[0], MEMBERS.size()));
        Map<String, byte[]> members = Zips.members(Given.SOUND_BYTES);
        if (!name.equals(MemberNames.MANIFEST)) {
            members.put(name, Arrays.copyOfRange(input, 1, input.length));
            return Zips.zip(Zips.listed(members));
        }
        members.put(name, Arrays.copyOfRange(input, 1, input.length));
        return Zips.zip(members);
    }

    private static Path write(byte[] bundle) {
        try {
            return Files.write(Given.FILE, bundle);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] sound() {
        try (InputStream sound = Objects.requireNonNull(BundleFuzz.class.getResourceAsStream(SOUND))) {
            return sound.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path file() {
        try {
            Path file = Files.createTempFile("bundle-fuzz", ".zip");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
