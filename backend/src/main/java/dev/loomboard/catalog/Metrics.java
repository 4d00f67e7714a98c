package dev.loomboard.catalog;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/** The metric catalogue, read once from the class path. A new row there is all that glossary, trial pages, histories and API need. */
public final class Metrics {

    private static final String FILE = "/api/metrics.json";
    private static final Metrics ALL = read();

    private final Map<String, Metric> byName = new LinkedHashMap<>();

    private Metrics(List<Metric> metrics) {
        metrics.forEach(metric -> byName.put(metric.name(), metric));
    }

    public static Metrics all() {
        return ALL;
    }

    public List<Metric> list() {
        return List.copyOf(byName.values());
    }

    public Optional<Metric> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** A metric that the program itself names: absent is a bug. */
    public Metric get(String name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException("metric is not in the catalogue: " + name));
    }

    private static Metrics read() {
        try (InputStream in = Metrics.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks its file " + FILE);
            }
            return new Metrics(
                    JsonMapper.shared().readValue(in, Metric.Catalogue.class).metrics());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + FILE, e);
        }
    }
}
