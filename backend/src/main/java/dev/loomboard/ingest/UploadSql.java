package dev.loomboard.ingest;

import dev.loomboard.measurement.EncodedHistogram;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;

/** Rows of an upload as the columns of one statement. */
final class UploadSql {

    private UploadSql() {}

    static <T> GenericExecuteSpec histograms(
            GenericExecuteSpec spec,
            List<T> rows,
            Function<T, EncodedHistogram> service,
            Function<T, @Nullable EncodedHistogram> serviceFailed,
            Function<T, @Nullable EncodedHistogram> response,
            Function<T, @Nullable EncodedHistogram> responseFailed,
            Function<T, @Nullable EncodedHistogram> excess) {
        return spec.bind("service", column(rows, r -> base64(service.apply(r)), String[]::new))
                .bind("serviceFailed", column(rows, r -> base64(serviceFailed.apply(r)), String[]::new))
                .bind("response", column(rows, r -> base64(response.apply(r)), String[]::new))
                .bind("responseFailed", column(rows, r -> base64(responseFailed.apply(r)), String[]::new))
                .bind("excess", column(rows, r -> base64(excess.apply(r)), String[]::new));
    }

    static @Nullable String base64(@Nullable EncodedHistogram histogram) {
        return histogram == null ? null : histogram.text();
    }

    static <R, T> T[] column(List<R> rows, Function<R, @Nullable T> value, IntFunction<T[]> array) {
        return rows.stream().map(value).toArray(array);
    }
}
