package dev.loomboard.ingest;

import dev.loomboard.measurement.EncodedHistogram;
import dev.loomboard.measurement.Step;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;

/** Rows of an upload as the columns of one statement. */
final class UploadSql {

    private UploadSql() {}

    static <T> GenericExecuteSpec times(GenericExecuteSpec spec, List<T> rows, Function<T, Step.Times> of) {
        List<Step.Times> all = rows.stream().map(of).toList();
        return spec.bind("service", column(all, t -> base64(t.service()), String[]::new))
                .bind("serviceFailed", column(all, t -> base64(t.serviceFailed()), String[]::new))
                .bind("response", column(all, t -> base64(t.response()), String[]::new))
                .bind("responseFailed", column(all, t -> base64(t.responseFailed()), String[]::new))
                .bind("excess", column(all, t -> base64(t.excess()), String[]::new))
                .bind("belowDelay", column(all, Step.Times::belowDelay, Long[]::new));
    }

    static <T> GenericExecuteSpec counts(GenericExecuteSpec spec, List<T> rows, Function<T, Step.Counts> of) {
        List<Step.Counts> all = rows.stream().map(of).toList();
        return spec.bind("offered", column(all, Step.Counts::offered, Long[]::new))
                .bind("sent", column(all, Step.Counts::sent, Long[]::new))
                .bind("completed", column(all, Step.Counts::completed, Long[]::new))
                .bind("failed", column(all, Step.Counts::failed, Long[]::new))
                .bind("unfinished", column(all, Step.Counts::unfinished, Long[]::new));
    }

    static @Nullable String base64(@Nullable EncodedHistogram histogram) {
        return histogram == null ? null : histogram.text();
    }

    static <R, T> T[] column(List<R> rows, Function<R, @Nullable T> value, IntFunction<T[]> array) {
        return rows.stream().map(value).toArray(array);
    }
}
