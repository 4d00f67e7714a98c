package dev.loomboard.webhook;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.resolver.InetSocketAddressResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Finds addresses of names, and none of a name with an address that is not public. The connection is made to the very address that was
 * looked at: a name that leads elsewhere a moment later gains nothing.
 */
final class PublicNames extends AddressResolverGroup<InetSocketAddress> {

    private static final int THREADS = 2;

    /** A look-up blocks. */
    private final ExecutorService lookUps = Executors.newFixedThreadPool(
            THREADS, Thread.ofPlatform().name("webhook-names").daemon().factory());

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new InetSocketAddressResolver(executor, new Names(executor, lookUps));
    }

    @Override
    public void close() {
        super.close();
        lookUps.shutdownNow();
    }

    private static final class Names extends InetNameResolver {

        private final ExecutorService lookUps;

        Names(EventExecutor executor, ExecutorService lookUps) {
            super(executor);
            this.lookUps = lookUps;
        }

        @Override
        protected void doResolve(String name, Promise<InetAddress> promise) {
            lookUps.execute(() -> {
                try {
                    promise.trySuccess(all(name).getFirst());
                } catch (UnknownHostException e) {
                    promise.tryFailure(e);
                }
            });
        }

        @Override
        protected void doResolveAll(String name, Promise<List<InetAddress>> promise) {
            lookUps.execute(() -> {
                try {
                    promise.trySuccess(all(name));
                } catch (UnknownHostException e) {
                    promise.tryFailure(e);
                }
            });
        }

        private static List<InetAddress> all(String name) throws UnknownHostException {
            List<InetAddress> all = List.of(InetAddress.getAllByName(name));
            if (!all.stream().allMatch(PublicAddress::is)) {
                throw new UnknownHostException(name + " leads to an address that is not public");
            }
            return all;
        }
    }
}
