package dev.loomboard.session;

import java.util.Map;

/**
 * Who asks, before it is known who that is.
 *
 * @param address of IPv4, or group of addresses of IPv6
 * @param browser in a few words, see {@link BrowserName}
 * @param cookies of the browser, by name
 */
public record Visitor(String address, String browser, Map<String, String> cookies) {
    public Visitor {
        cookies = Map.copyOf(cookies);
    }
}
