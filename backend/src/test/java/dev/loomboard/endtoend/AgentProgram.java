package dev.loomboard.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@code loomboard-agent}, used from a shell as on a machine of one's own: with a home of its own, and no setting inherited but
 * where JDKs are. It is the built one, or whatever a person installs by pasting lines.
 */
final class AgentProgram implements AutoCloseable {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path FOLDER = ROOT.resolve("runner-agent/build");

    private final Path home;
    private final Path programs;
    private final List<Running> started = new ArrayList<>();
    private final List<ProcessHandle> orphans = new ArrayList<>();
    private int pasted;

    /** The built one. */
    AgentProgram(Path home) {
        this(home, FOLDER);
        needBuilt(FOLDER.resolve("loomboard-agent"));
        needBuilt(ROOT.resolve("sample-servers/spring-mvc/target/spring-mvc.jar"));
        needBuilt(ROOT.resolve("sample-servers/spring-webflux/target/spring-webflux.jar"));
    }

    private AgentProgram(Path home, Path programs) {
        this.home = home;
        this.programs = programs;
    }

    /** How many lines a person pasted. */
    int pasted() {
        return pasted;
    }

    /** None yet: the machine of somebody who has nothing of ours. */
    static AgentProgram none(Path home) {
        return new AgentProgram(home, home.resolve(".local/bin"));
    }

    static void needBuilt(Path file) {
        assertThat(file)
                .as("The end-to-end tests use what is built: run `make build` first (`make test` does)")
                .exists();
    }

    /** Pastes a line into a shell and gives what it printed; fails unless it succeeds. */
    String paste(String line) throws Exception {
        pasted++;
        Path output = Files.createTempFile(home, "pasted-", ".txt");
        Process shell = shell(line)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!shell.waitFor(120, TimeUnit.SECONDS)) {
            shell.destroyForcibly();
            throw new AssertionError("does not end: " + line + "\n" + Files.readString(output));
        }
        assertThat(shell.exitValue()).as(line + "\n" + Files.readString(output)).isZero();
        return Files.readString(output);
    }

    /** Pastes the line that installs the agent. The installer would put what root installs beside programs of this machine. */
    String pasteInstaller(String line) throws Exception {
        return paste(line.replace("| sh -s -- ", "| sh -s -- --to " + programs + " "));
    }

    /** {@code loomboard-agent run}, until it is stopped or killed. */
    Running run() throws IOException {
        return run("loomboard-agent run -v");
    }

    /** A line that does not end by itself. */
    Running run(String line) throws IOException {
        pasted++;
        Path output = home.resolve("run-" + (started.size() + 1) + ".log");
        // exec: the process is the agent itself, not a shell that waits for it
        Running running = new Running(
                shell("exec " + line)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start(),
                output);
        started.add(running);
        return running;
    }

    /** SIGKILL of the agent that was started last, alone: its server and load process are left to whoever starts next. */
    void kill() throws InterruptedException {
        orphans.addAll(started.getLast().process.descendants().toList());
        started.getLast().kill();
    }

    /** Batches that are sealed on disk and not yet known to be stored, or refused for good. */
    List<Wire.BatchKey> spooled() throws IOException {
        try (var files = Files.walk(home.resolve("spool"))) {
            return files.filter(file -> file.toString().endsWith(".json.gz"))
                    .map(AgentProgram::batch)
                    .toList();
        }
    }

    /** {@code …/trl_…/00003.json.gz}, or {@code 00003.last.json.gz} */
    private static Wire.BatchKey batch(Path file) {
        String trial = file.getName(file.getNameCount() - 2).toString();
        return new Wire.BatchKey(
                trial, Integer.parseInt(file.getFileName().toString().split("\\.")[0]));
    }

    private ProcessBuilder shell(String line) {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", line).directory(home.toFile());
        String jdks = builder.environment().get("LOOMBOARD_JDKS");
        builder.environment().keySet().removeIf(name -> name.startsWith("LOOMBOARD_"));
        if (jdks != null) {
            builder.environment().put("LOOMBOARD_JDKS", jdks);
        }
        builder.environment().put("LOOMBOARD_AGENT_HOME", home.toString());
        if (!programs.equals(FOLDER)) {
            builder.environment().put("HOME", home.toString());
        }
        builder.environment().put("PATH", programs + ":" + System.getenv("PATH"));
        return builder;
    }

    @Override
    public void close() throws Exception {
        try {
            for (Running running : started) {
                running.stop();
            }
        } finally {
            orphans.forEach(ProcessHandle::destroyForcibly); // of a test that failed before the next start
        }
    }

    /** An agent at work. */
    static final class Running {

        private final Process process;
        private final Path output;

        private Running(Process process, Path output) {
            this.process = process;
            this.output = output;
        }

        private void kill() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }

        /** SIGTERM, and the wait for it to clean up; nothing when it has ended before. */
        void stop() throws InterruptedException {
            List<ProcessHandle> children = process.descendants().toList();
            process.destroy();
            if (!process.waitFor(120, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                children.forEach(ProcessHandle::destroyForcibly);
                throw new AssertionError("the agent does not stop:\n" + log());
            }
            assertThat(children.stream().filter(ProcessHandle::isAlive))
                    .as("processes that the stopped agent left")
                    .isEmpty();
        }

        boolean isAlive() {
            return process.isAlive();
        }

        String log() {
            try {
                return Files.readString(output);
            } catch (IOException e) {
                return "(no output: " + e + ")";
            }
        }
    }
}
