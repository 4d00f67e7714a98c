import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server under more than it can do, by its second argument: waits answers after 20 ms; sheds does the same with two of
 * five and refuses the others at once with a 503; narrow has a hundred threads that wait 100 ms.
 */
public class Overload {
  /** The agent's verification is answered in any case. */
  private static final int VERIFIED = 20;

  private static final AtomicLong hits = new AtomicLong();

  public static void main(String[] args) throws Exception {
    String kind = args[1];
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 4096);
    server.createContext("/ready", x -> answer(x, 200));
    server.createContext("/gc", x -> {
      System.gc();
      answer(x, 200);
    });
    server.createContext("/hit", x -> {
      long hit = hits.incrementAndGet();
      if (kind.equals("sheds") && hit > VERIFIED && hit % 5 < 3) {
        answer(x, 503);
        return;
      }
      sleep(kind.equals("narrow") ? 100 : 20);
      answer(x, 200);
    });
    server.setExecutor(Executors.newFixedThreadPool(100));
    server.start();
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void answer(HttpExchange exchange, int status) throws IOException {
    byte[] body = status == 200 ? "ok".getBytes() : "busy".getBytes();
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
