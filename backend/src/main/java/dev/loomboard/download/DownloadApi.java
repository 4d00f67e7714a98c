package dev.loomboard.download;

import dev.loomboard.web.Problem;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Hands out the files of a release. They are for everybody, as the machine that asks has no key yet. */
@RestController
class DownloadApi {

    private static final MediaType TEXT = new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8);
    private static final MediaType GZIP = MediaType.parseMediaType("application/gzip");
    private static final Duration KEPT = Duration.ofDays(1);

    /** Sent whole, a file would have to be taken within the time that a piece of an answer has. */
    private static final int PIECE = 64 * 1024;

    private final Downloads downloads;

    DownloadApi(Downloads downloads) {
        this.downloads = downloads;
    }

    @GetMapping("/install.sh")
    Mono<ResponseEntity<Flux<DataBuffer>>> installer() {
        return download(Downloads.INSTALLER);
    }

    @GetMapping("/downloads/{file}")
    Mono<ResponseEntity<Flux<DataBuffer>>> download(@PathVariable String file) {
        return Mono.justOrEmpty(downloads.file(file))
                .switchIfEmpty(Mono.error(Problem.notFound().asException()))
                .map(path -> ResponseEntity.ok()
                        .contentType(type(file))
                        .cacheControl(keeping(file))
                        .body(DataBufferUtils.read(path, DefaultDataBufferFactory.sharedInstance, PIECE)));
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
