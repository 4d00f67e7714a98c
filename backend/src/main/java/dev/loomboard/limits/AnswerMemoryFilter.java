package dev.loomboard.limits;

import dev.loomboard.kernel.Caller;
import dev.loomboard.web.ExchangeAttributes;
import dev.loomboard.web.Problem;
import dev.loomboard.web.ProblemException;
import dev.loomboard.web.request.FilterOrder;
import org.reactivestreams.Publisher;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Bounds what readers who take nothing can hold of answers that were made whole. Small ones are not counted, so that the
 * service goes on answering where large ones are refused; what is sent in pieces holds next to nothing.
 */
@Component
final class AnswerMemoryFilter implements WebFilter, Ordered {

    /** An answer of at most this many bytes is small. */
    static final int SMALL = 64 * 1024;

    private final AnswerMemory memory = AnswerMemory.ofHeap(Runtime.getRuntime().maxMemory());

    AnswerMemory memory() {
        return memory;
    }

    @Override
    public int getOrder() {
        return FilterOrder.ANSWER;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return chain.filter(exchange.mutate()
                .response(new BoundedResponse(exchange.getResponse(), memory, who(exchange)))
                .build());
    }

    private static String who(ServerWebExchange exchange) {
        Caller caller = ExchangeAttributes.caller(exchange);
        return caller instanceof Caller.Anonymous
                ? ClientAddress.group(exchange.getRequest().getRemoteAddress())
                : caller.actor();
    }

    private static final class BoundedResponse extends ServerHttpResponseDecorator {

        private final AnswerMemory memory;
        private final String who;

        BoundedResponse(ServerHttpResponse response, AnswerMemory memory, String who) {
            super(response);
            this.memory = memory;
            this.who = who;
        }

        @Override
        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
            return body instanceof Mono<? extends DataBuffer> whole
                    ? whole.flatMap(this::writeWhole)
                    : super.writeWith(body);
        }

        private Mono<Void> writeWhole(DataBuffer whole) {
            int bytes = whole.readableByteCount();
            if (bytes <= SMALL) {
                return super.writeWith(Mono.just(whole));
            }
            if (!memory.take(who, bytes)) {
                DataBufferUtils.release(whole);
                return Mono.error(noRoom());
            }
            return super.writeWith(Mono.just(whole)).doFinally(end -> memory.giveBack(who, bytes));
        }

        private static ProblemException noRoom() {
            return Problem.of(
                            503,
                            "answers-busy",
                            "Too many large answers at once",
                            "The service has no memory left for this answer until clients read earlier ones. Read the answers"
                                    + " that you already requested, or try again in a few seconds.")
                    .asException();
        }
    }
}
