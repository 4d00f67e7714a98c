package dev.loomboard.kit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;

/** One connection of somebody who means no good, from a loopback address of its own. */
public final class Attacker implements AutoCloseable {

    /** What is never answered or closed must fail a test, not hold it up; nothing is measured by it. */
    private static final int PATIENCE_MS = 180_000;

    private static final int BETWEEN_BYTES_MS = 500;

    private final Socket socket = new Socket();

    /** @param from such as 127.0.0.2 */
    public Attacker(String address, String from) throws IOException {
        URI uri = URI.create(address);
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress("127.0.0.1", uri.getPort()), PATIENCE_MS);
        socket.setSoTimeout(PATIENCE_MS);
    }

    /** What the service has closed before takes nothing, and that is no error here. */
    public void send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        } catch (IOException e) {
            // it was closed: whoever reads from it will find out
        }
    }

    /** Sends the piece so many times at most, until there is an answer; gives its status. */
    public int sendUntilAnswered(byte[] piece, int times) throws IOException {
        for (int i = 0; i < times && socket.getInputStream().available() == 0; i++) {
            send(piece);
        }
        return status();
    }

    public int status() throws IOException {
        String line = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII)).readLine();
        if (line == null) {
            throw new IOException("closed without an answer");
        }
        return Integer.parseInt(line.split(" ")[1]);
    }

    /** Takes nothing until the service has had enough; false: it never has. */
    public boolean isCutOff() {
        long end = System.nanoTime() + PATIENCE_MS * 1_000_000L;
        try {
            while (System.nanoTime() < end) {
                socket.getOutputStream().write('\n'); // between requests it means nothing
                Thread.sleep(BETWEEN_BYTES_MS);
            }
            return false;
        } catch (IOException e) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A byte now and then, for as long as the service takes them. */
    public void trickle() {
        try {
            while (!socket.isClosed()) {
                socket.getOutputStream().write('a');
                socket.getOutputStream().flush();
                Thread.sleep(BETWEEN_BYTES_MS);
            }
        } catch (IOException e) {
            // the service has had enough
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads whatever comes until the service closes; false: it never does. */
    public boolean isClosedByTheService() {
        byte[] answer = new byte[8192];
        try {
            while (socket.getInputStream().read(answer) >= 0) {
                // an answer, before it closes
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true; // reset
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException("a socket cannot fail to close", e);
        }
    }
}
