package dev.loomboard.limits.connection;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.netty.handler.timeout.WriteTimeoutHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.netty.NettyPipeline;

/**
 * How long a connection may be idle or slow, and how many an address may have. All of it is about what a client does: an
 * agent that waits for work and a browser that watches a run have sent their requests, and wait as long as they like.
 */
@Configuration(proxyBeanMethods = false)
class ConnectionConfig {

    /** @param forwarded not {@code none}: all connections are a proxy's, which has to count them itself */
    @Bean
    OpenConnections openConnections(
            @Value("${loomboard.connections.per-address}") int most,
            @Value("${server.forward-headers-strategy}") String forwarded) {
        return new OpenConnections(forwarded.equalsIgnoreCase("none") ? most : 0);
    }

    @Bean
    MeterBinder openConnectionFigures(OpenConnections connections) {
        return connections::show;
    }

    /**
     * @param idle until a request's head is whole, from the connection's opening or the last answer on
     * @param pause between two pieces of a body
     * @param body until a request's body is whole; and from the answer on, where that came before
     * @param write until a piece of an answer is taken
     */
    @Bean
    NettyServerCustomizer connectionLimits(
            OpenConnections connections,
            @Value("${loomboard.connections.idle}") Duration idle,
            @Value("${loomboard.connections.pause}") Duration pause,
            @Value("${loomboard.connections.body}") Duration body,
            @Value("${loomboard.connections.write}") Duration write) {
        return server -> server.idleTimeout(idle)
                .readTimeout(pause)
                .requestTimeout(body)
                .doOnChannelInit((observer, channel, address) -> {
                    connections.opened(channel);
                    channel.pipeline().addFirst(new WriteTimeoutHandler(write.toMillis(), TimeUnit.MILLISECONDS));
                    channel.pipeline().addAfter(NettyPipeline.HttpCodec, null, new AnsweredEarly(body));
                });
    }
}
