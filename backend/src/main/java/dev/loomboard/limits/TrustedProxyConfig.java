package dev.loomboard.limits;

import dev.loomboard.kernel.StartupRefusal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.adapter.ForwardedHeaderTransformer;

/**
 * Behind proxies: takes scheme and host from X-Forwarded-*, and the client's address from the entry that our own proxies wrote.
 * The framework alone takes the leftmost, which a client may forge.
 */
@Configuration(proxyBeanMethods = false)
class TrustedProxyConfig {

    private static final String FORWARDED = "Forwarded";
    private static final String FORWARDED_FOR = "X-Forwarded-For";

    @Bean
    @ConditionalOnProperty(name = "server.forward-headers-strategy", havingValue = "framework")
    ForwardedHeaderTransformer forwardedHeaderTransformer(@Value("${loomboard.trusted-hops}") String configured) {
        int hops = hops(configured);
        return new ForwardedHeaderTransformer() {
            @Override
            public ServerHttpRequest apply(ServerHttpRequest request) {
                Optional<InetAddress> client =
                        ClientAddress.forwarded(request.getHeaders().getOrEmpty(FORWARDED_FOR), hops);
                InetSocketAddress remote =
                        client.map(address -> new InetSocketAddress(address, 0)).orElse(request.getRemoteAddress());
                ServerHttpRequest adapted = super.apply(withoutForwarded(request));
                return remote == null
                        ? adapted
                        : adapted.mutate().remoteAddress(remote).build();
            }
        };
    }

    /** The framework prefers it to X-Forwarded-*, but proxies that set those pass it on as the client wrote it. */
    private static ServerHttpRequest withoutForwarded(ServerHttpRequest request) {
        return request.getHeaders().containsHeader(FORWARDED)
                ? request.mutate().headers(headers -> headers.remove(FORWARDED)).build()
                : request;
    }

    private static int hops(String configured) {
        if (!configured.matches("[1-9][0-9]?")) {
            throw new StartupRefusal(
                    "LOOMBOARD_TRUSTED_HOPS is " + configured + ".",
                    "Set it to the number of proxies of your own that a request passes, or leave it out if that is 1.");
        }
        return Integer.parseInt(configured);
    }
}
