package dev.loomboard.web;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.channel.ChannelOperations;

/**
 * An answer that is read in pieces, each after the reader has taken the one before: who takes nothing holds one piece,
 * however large the whole is.
 */
public final class PiecewiseAnswer {

    static final int PIECE = 128 * 1024;

    /** Where the answer comes from. */
    @FunctionalInterface
    public interface Source {

        /** @return exactly this many bytes */
        Mono<byte[]> read(long from, int bytes);
    }

    private PiecewiseAnswer() {}

    /** @param bytes of the whole; the answer's other headers are set already */
    public static Mono<Void> write(ServerHttpResponse response, long bytes, Source source) {
        ChannelOperations<?, ?> connection = ServerHttpResponseDecorator.getNativeResponse(response);
        return write(response, bytes, source, takesMore(connection.channel()));
    }

    /** @param takesMore ends when the reader has taken what was written; it is asked before each piece */
    static Mono<Void> write(ServerHttpResponse response, long bytes, Source source, Mono<Void> takesMore) {
        response.getHeaders().setContentLength(bytes);
        // The server asks for 128 pieces at once, whatever the reader takes.
        return response.writeAndFlushWith(Flux.range(0, Math.toIntExact(Math.ceilDiv(bytes, PIECE)))
                .concatMap(i -> takesMore.then(piece(response, source, (long) i * PIECE, bytes)), 1)
                .map(Mono::just));
    }

    private static Mono<DataBuffer> piece(ServerHttpResponse response, Source source, long from, long end) {
        int bytes = Math.toIntExact(Math.min(PIECE, end - from));
        return Mono.defer(() -> source.read(from, bytes))
                .filter(piece -> piece.length == bytes)
                .switchIfEmpty(Mono.error(() -> new IllegalStateException("no " + bytes + " bytes at " + from)))
                .map(piece -> response.bufferFactory().wrap(piece));
    }

    /** Ends when next to nothing waits on the connection, or it is closed: then the answer is cancelled. */
    private static Mono<Void> takesMore(Channel channel) {
        return Mono.create(sink -> channel.eventLoop().execute(() -> {
            if (channel.isWritable() || !channel.isActive()) {
                sink.success();
                return;
            }
            ChannelHandler listener = new ChannelInboundHandlerAdapter() {
                @Override
                public void channelWritabilityChanged(ChannelHandlerContext context) {
                    if (channel.isWritable()) {
                        sink.success();
                    }
                    context.fireChannelWritabilityChanged();
                }

                @Override
                public void channelInactive(ChannelHandlerContext context) {
                    sink.success();
                    context.fireChannelInactive();
                }
            };
            channel.pipeline().addFirst(listener);
            sink.onDispose(() -> channel.eventLoop().execute(() -> {
                if (channel.pipeline().context(listener) != null) {
                    channel.pipeline().remove(listener);
                }
            }));
        }));
    }
}
