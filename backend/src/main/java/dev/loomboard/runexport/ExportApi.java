package dev.loomboard.runexport;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.WireName;
import dev.loomboard.web.PiecewiseAnswer;
import dev.loomboard.web.Problem;
import dev.loomboard.web.PublicUrl;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.http.CacheControl;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Answers with the bundle of a run, a piece after the other as its reader takes them. */
@RestController
class ExportApi {

    /** Then its place is for others. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private static final MediaType ZIP = new MediaType("application", "zip");

    private final BundleExportService exports;
    private final PublicUrl url;

    ExportApi(BundleExportService exports, PublicUrl url) {
        this.exports = exports;
        this.url = url;
    }

    /** For people and for scripts. */
    @GetMapping({"/runs/{runId}/bundle", "/api/v1/runs/{runId}/bundle"})
    Mono<Void> bundle(
            Caller caller,
            @PathVariable String runId,
            @RequestParam(defaultValue = "all") String content,
            ServerHttpRequest request,
            ServerHttpResponse response) {
        BundleContent wanted = WireName.find(BundleContent.class, content).orElse(null);
        if (wanted == null) {
            return Mono.error(Problem.invalid("content", "must be all or compact, is: " + content)
                    .asException());
        }
        return Mono.just(runId)
                .filter(run -> ExternalId.isOf("run", run))
                .flatMap(run -> exports.with(
                        caller,
                        run,
                        url.of(request),
                        wanted,
                        file -> send(run, file, response).thenReturn(true)))
                .switchIfEmpty(Mono.error(Problem.notFound().asException()))
                .then();
    }

    private static Mono<Void> send(String id, Path file, ServerHttpResponse response) {
        return Mono.fromCallable(() -> Files.size(file))
                .subscribeOn(Schedulers.boundedElastic())
                .flatMap(bytes -> {
                    HttpHeaders headers = response.getHeaders();
                    headers.setContentType(ZIP);
                    headers.setContentDisposition(ContentDisposition.attachment()
                            .filename(id + ".loomboard.zip")
                            .build());
                    headers.set(HttpHeaders.VARY, "Cookie");
                    headers.setCacheControl(CacheControl.noCache());
                    return PiecewiseAnswer.write(response, bytes, (from, length) -> piece(file, from, length));
                })
                .timeout(LONGEST);
    }

    private static Mono<byte[]> piece(Path file, long from, int length) {
        return Mono.fromCallable(() -> read(file, from, length)).subscribeOn(Schedulers.boundedElastic());
    }

    private static byte[] read(Path file, long from, int length) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
            byte[] piece = new byte[length];
            open.seek(from);
            open.readFully(piece);
            return piece;
        } catch (EOFException e) {
            throw new IOException("the bundle has fewer bytes than it had", e);
        }
    }
}
