package dev.loomboard.server.vertx;

import io.vertx.core.Promise;
import java.util.Optional;

/**
 * What all verticles of a server have in common.
 *
 * @param port that they share; negative: any free one, the same for all
 * @param listening is told the port once one of them listens
 * @param database empty: there is none
 */
record Site(String address, int port, Promise<Integer> listening, Optional<Database> database) {}
