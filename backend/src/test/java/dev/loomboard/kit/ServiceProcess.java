package dev.loomboard.kit;

import dev.loomboard.LoomboardApplication;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The service as a process of its own, as people start it, on little heap: its output read, and it can be killed. */
public final class ServiceProcess implements AutoCloseable {

    private static final Pattern AT = Pattern.compile("Loomboard is at (http://\\S+?)/$");
    private static final Pattern SETUP = Pattern.compile("First administrator: open http://[^/]+(/setup/\\S+) ");

    /** The least heap that the README names, on which all must go; the first time it is too small ends the service. */
    private static final List<String> SMALLEST = List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError");

    private final Process process;
    private final List<String> output = new ArrayList<>();
    private final Thread reader;

    private ServiceProcess(Process process) {
        this.process = process;
        this.reader = Thread.ofVirtual().start(this::read);
    }

    public static ServiceProcess start(Path folder, Map<String, String> settings) throws IOException {
        return start(folder, settings, List.of(), List.of());
    }

    /**
     * @param starter what starts it in place of us, such as a shell that sets limits
     * @param options of the JVM
     */
    public static ServiceProcess start(
            Path folder, Map<String, String> settings, List<String> starter, List<String> options) throws IOException {
        List<String> command = new ArrayList<>(starter);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(SMALLEST);
        command.addAll(options);
        command.add("-cp");
        command.add(System.getProperty("surefire.real.class.path", System.getProperty("java.class.path")));
        command.add(LoomboardApplication.class.getName());
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("LOOMBOARD_"));
        builder.environment().put("LOOMBOARD_PORT", "0");
        builder.environment().putAll(settings);
        return new ServiceProcess(builder.start());
    }

    /** Base address, once the service has said it; fails when it ends before. */
    public String awaitAddress() throws InterruptedException {
        return await(AT).orElseThrow(() -> new AssertionError("the service ended:\n" + String.join("\n", lines())));
    }

    /** Once it has printed a line with that text; fails when it ends before. */
    public void awaitLine(String text) throws InterruptedException {
        if (await(Pattern.compile("(" + Pattern.quote(text) + ")")).isEmpty()) {
            throw new AssertionError("the service ended:\n" + String.join("\n", lines()));
        }
    }

    public Optional<String> setupPath() {
        return find(SETUP);
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL, as the kernel or an impatient person does it. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGTERM; gives the exit code. */
    public int stop() throws InterruptedException {
        process.destroy();
        return awaitEnd();
    }

    public int awaitEnd() throws InterruptedException {
        if (!process.waitFor(120, TimeUnit.SECONDS)) {
            throw new AssertionError("the service does not end:\n" + String.join("\n", lines()));
        }
        reader.join();
        return process.exitValue();
    }

    public synchronized List<String> lines() {
        return List.copyOf(output);
    }

    @Override
    public void close() throws InterruptedException {
        if (process.isAlive()) {
            process.destroyForcibly().waitFor();
        }
    }

    private synchronized Optional<String> find(Pattern pattern) {
        return output.stream()
                .map(pattern::matcher)
                .filter(Matcher::find)
                .map(m -> m.group(1))
                .findFirst();
    }

    private synchronized Optional<String> await(Pattern pattern) throws InterruptedException {
        Optional<String> found = find(pattern);
        while (found.isEmpty() && (process.isAlive() || reader.isAlive())) {
            wait(1000);
            found = find(pattern);
        }
        return found;
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                add(line);
            }
        } catch (IOException e) {
            add("(output cut off: " + e + ")");
        }
    }

    private synchronized void add(String line) {
        output.add(line);
        notifyAll();
    }
}
