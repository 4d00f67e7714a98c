package dev.loomboard.kit;

import java.util.Map;
import java.util.function.BooleanSupplier;

/** Where the PostgreSQL of the tests runs. */
enum TestServer {
    CONTAINER,
    EMBEDDED;

    private static final String ENGINE = "LOOMBOARD_TEST_ENGINE";
    private static final String EVERYTHING = "LOOMBOARD_TEST_EVERYTHING";

    /**
     * {@code LOOMBOARD_TEST_ENGINE=docker} wants a container, {@code none} the embedded server. Unset, it is a container
     * where the engine has the image, and the embedded server elsewhere; but where {@code LOOMBOARD_TEST_EVERYTHING} is
     * set, as in CI, that is refused: nobody would notice that no container was tried.
     */
    static TestServer chosen(Map<String, String> environment, BooleanSupplier engineHasImage) {
        String engine = environment.getOrDefault(ENGINE, "");
        return switch (engine) {
            case "docker" -> CONTAINER;
            case "none" -> EMBEDDED;
            case "" -> {
                if (engineHasImage.getAsBoolean()) {
                    yield CONTAINER;
                }
                if (!environment.getOrDefault(EVERYTHING, "").isEmpty()) {
                    throw new IllegalStateException("No container engine has the tests' PostgreSQL, and " + EVERYTHING
                            + " is set: start one, or say " + ENGINE + "=none to test on the embedded server.");
                }
                yield EMBEDDED;
            }
            default -> throw new IllegalArgumentException(ENGINE + " must be docker or none, is: " + engine);
        };
    }
}
