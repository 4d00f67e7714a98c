package dev.loomboard.artefact;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The artefacts that there are. */
public enum ArtefactName {
    DIAGNOSIS("diagnosis.json", "application/json", "What the recorder saw, summed up"),
    STACKS("stacks.txt", "text/plain;charset=utf-8", "Stacks of CPU samples, collapsed, for any flame graph tool"),
    CLASSES("classes.json", "application/json", "Live objects by class, before and after the load"),
    JVM_LOG("jvm.log", "text/plain;charset=utf-8", "The JVM's log of safepoints and GC"),
    OUTPUT("server-output.txt", "text/plain;charset=utf-8", "What the server of the failed trial printed"),
    CRASH("hs-err.txt", "text/plain;charset=utf-8", "The crash report of its JVM"),
    THREADS("threads.txt", "text/plain;charset=utf-8", "What its threads did when the trial failed");

    private final String file;
    private final String mediaType;
    private final String title;

    ArtefactName(String file, String mediaType, String title) {
        this.file = file;
        this.mediaType = mediaType;
        this.title = title;
    }

    public static Optional<ArtefactName> of(String file) {
        return Arrays.stream(values()).filter(n -> n.file.equals(file)).findFirst();
    }

    /** Of all of them. */
    public static List<String> files() {
        return Arrays.stream(values()).map(ArtefactName::file).toList();
    }

    /** Whether it can explain a failure. */
    public boolean ofFailure() {
        return switch (this) {
            case JVM_LOG, OUTPUT, CRASH, THREADS -> true;
            case DIAGNOSIS, STACKS, CLASSES -> false;
        };
    }

    /** Name on the wire, in URLs and in the database. */
    public String file() {
        return file;
    }

    public String mediaType() {
        return mediaType;
    }

    /** What it is, for people. */
    public String title() {
        return title;
    }
}
