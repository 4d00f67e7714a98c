package dev.loomboard.download;

import dev.loomboard.web.PiecewiseAnswer;
import dev.loomboard.web.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Hands out the files of a release. They are for everybody, as the machine that asks has no key yet. */
@RestController
class DownloadApi {

    private static final MediaType TEXT = new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8);
    private static final MediaType GZIP = MediaType.parseMediaType("application/gzip");
    private static final Duration KEPT = Duration.ofDays(1);

    private final Downloads downloads;

    DownloadApi(Downloads downloads) {
        this.downloads = downloads;
    }

    @GetMapping("/install.sh")
    Mono<Void> installer(ServerHttpResponse response) {
        return download(Downloads.INSTALLER, response);
    }

    @GetMapping("/downloads/{file}")
    Mono<Void> download(@PathVariable String file, ServerHttpResponse response) {
        return Mono.justOrEmpty(downloads.file(file))
                .switchIfEmpty(Mono.error(Problem.notFound().asException()))
                .flatMap(path -> waiting(() -> Files.size(path)).flatMap(size -> answer(path, size, response)));
    }

    private static Mono<Void> answer(Path path, long size, ServerHttpResponse response) {
        String file = path.getFileName().toString();
        response.getHeaders().setContentType(type(file));
        response.getHeaders().setCacheControl(keeping(file));
        return PiecewiseAnswer.write(response, size, (from, bytes) -> waiting(() -> part(path, from, bytes)));
    }

    private static byte[] part(Path path, long from, int bytes) throws IOException {
        try (InputStream file = Files.newInputStream(path)) {
            file.skipNBytes(from);
            return file.readNBytes(bytes);
        }
    }

    private static <T> Mono<T> waiting(Callable<T> forTheDisk) {
        return Mono.fromCallable(forTheDisk).subscribeOn(Schedulers.boundedElastic());
    }

    private static MediaType type(String file) {
        if (file.endsWith(".tar.gz")) {
            return GZIP;
        }
        return file.endsWith(".json") ? MediaType.APPLICATION_JSON : TEXT;
    }

    /** What has its version in its name never changes. */
    private static CacheControl keeping(String file) {
        return file.endsWith(".tar.gz") ? CacheControl.maxAge(KEPT).cachePublic() : CacheControl.noCache();
    }
}
