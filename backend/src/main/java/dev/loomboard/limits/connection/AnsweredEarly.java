package dev.loomboard.limits.connection;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection that was answered before its request was whole, such as by a refusal, and goes on sending that request
 * for too long. The server's own time limits end with the answer. A handler of one connection.
 */
final class AnsweredEarly extends ChannelDuplexHandler {

    private final Duration most;
    private boolean whole = true;
    private @Nullable Future<?> closing;

    AnsweredEarly(Duration most) {
        this.most = most;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (message instanceof HttpRequest) {
            whole = false;
        }
        if (message instanceof LastHttpContent) {
            whole = true;
            stop();
        }
        super.channelRead(context, message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        if (message instanceof LastHttpContent && !whole && closing == null) {
            closing = context.executor().schedule(() -> context.close(), most.toMillis(), TimeUnit.MILLISECONDS);
        }
        super.write(context, message, promise);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        stop();
        super.channelInactive(context);
    }

    private void stop() {
        if (closing != null) {
            closing.cancel(false);
            closing = null;
        }
    }
}
