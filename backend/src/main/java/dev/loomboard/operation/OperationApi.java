package dev.loomboard.operation;

import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** What Prometheus reads. */
@RestController
class OperationApi {

    private static final MediaType TEXT = MediaType.parseMediaType("text/plain;version=0.0.4;charset=utf-8");

    private final OperationService service;

    OperationApi(OperationService service) {
        this.service = service;
    }

    @GetMapping("/metrics")
    Mono<ResponseEntity<String>> metrics() {
        return service.scrape()
                .map(text -> ResponseEntity.ok()
                        .contentType(TEXT)
                        .cacheControl(CacheControl.noStore())
                        .body(text));
    }
}
