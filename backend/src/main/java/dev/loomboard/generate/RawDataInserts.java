package dev.loomboard.generate;

import dev.loomboard.measurement.Phase;
import dev.loomboard.stats.latency.Latencies;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** The tables of the raw record, as batches of inserts. */
final class RawDataInserts implements AutoCloseable {

    private static final long SECOND = 1_000_000_000L;
    private static final int RATE = 1000;

    private final Connection connection;
    private final List<PreparedStatement> all = new ArrayList<>();
    private final PreparedStatement batches;
    private final PreparedStatement phases;
    private final PreparedStatement windows;
    private final PreparedStatement steps;
    private final PreparedStatement samples;

    RawDataInserts(Connection connection) throws SQLException {
        this.connection = connection;
        batches = prepared(
                "insert into batch (trial_id, seq, fencing, sha256, bytes, late) values (?, 0, 1, ?, 60000, false)");
        phases = prepared("insert into trial_phase (trial_id, at_ns, phase) values (?, ?, ?)");
        windows = prepared("""
                insert into load_window (trial_id, at_ns, phase, step, intended, sent, completed, failed, service, response, lag,
                                         response_p50_ns, response_p99_ns, service_p50_ns, service_p99_ns)
                values (?, ?, ?, 0, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?)""");
        steps = prepared("""
                insert into step (workspace_id, trial_id, ordinal, rate, start_ns, end_ns, offered, sent, completed, failed, unfinished,
                                  validity, health, outcomes, percentiles, service, response, excess, lag, transport, http)
                select workspace_id, trial_id, 0, 1000, ?, ?, 12000, 12000, 12000, 0, 0, 'valid', '{"validity": "valid", "cpuShare": 0.2}',
                       '{"statusCodes": {"200": 12000}, "completedInStep": 12000, "timeoutNs": 30000000000}', '{}', ?, ?, ?, ?, 'lean', '1.1' from trial where trial_id = ?""");
        samples = prepared("insert into sample_chunk (trial_id, metric, seq, at_ns, value) values (?, ?, 0, ?, ?)");
    }

    private PreparedStatement prepared(String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        all.add(statement);
        return statement;
    }

    void batch(long trial, byte[] sha256) throws SQLException {
        batches.setLong(1, trial);
        batches.setBytes(2, sha256);
        batches.addBatch();
    }

    void phase(long trial, long nanos, Phase phase) throws SQLException {
        phases.setLong(1, trial);
        phases.setLong(2, nanos);
        phases.setString(3, phase.wire());
        phases.addBatch();
    }

    void window(long trial, long nanos, Phase phase, Latencies response, Latencies service, byte[] lag)
            throws SQLException {
        windows.setLong(1, trial);
        windows.setLong(2, nanos);
        windows.setString(3, phase.wire());
        for (int column = 4; column <= 6; column++) {
            windows.setLong(column, RATE);
        }
        windows.setBytes(7, service.encode());
        windows.setBytes(8, response.encode());
        windows.setBytes(9, lag);
        windows.setLong(10, response.valueAt(0.5));
        windows.setLong(11, response.valueAt(0.99));
        windows.setLong(12, service.valueAt(0.5));
        windows.setLong(13, service.valueAt(0.99));
        windows.addBatch();
    }

    /** @param excess response − declared delay */
    void step(long trial, long from, long to, byte[] response, byte[] service, byte[] excess, byte[] lag)
            throws SQLException {
        steps.setLong(1, from);
        steps.setLong(2, to);
        steps.setBytes(3, service);
        steps.setBytes(4, response);
        steps.setBytes(5, excess);
        steps.setBytes(6, lag);
        steps.setLong(7, trial);
        steps.addBatch();
    }

    /** One a second from the trial's start. */
    void samples(long trial, String metric, int ticks, IntToDoubleFunction value) throws SQLException {
        Object[] at = IntStream.range(0, ticks).mapToObj(tick -> tick * SECOND).toArray();
        Object[] values =
                IntStream.range(0, ticks).mapToObj(value::applyAsDouble).toArray();
        samples.setLong(1, trial);
        samples.setString(2, metric);
        samples.setArray(3, connection.createArrayOf("bigint", at));
        samples.setArray(4, connection.createArrayOf("float8", values));
        samples.addBatch();
    }

    void flush() throws SQLException {
        for (PreparedStatement statement : all) {
            statement.executeBatch();
        }
    }

    @Override
    public void close() throws SQLException {
        for (PreparedStatement statement : all) {
            statement.close();
        }
    }
}
