import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;

/** A server for the agent's own tests, in one file. */
public class Tiny {
  static final Object lock = new Object();
  static volatile Object sink;

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    if (args.length > 1 && args[1].equals("fail")) {
      System.err.println("failing on purpose");
      System.exit(3);
    }
    if (args.length > 1 && args[1].equals("stubborn")) {
      // Never finishes, so that TERM is not enough.
      Runtime.getRuntime().addShutdownHook(new Thread(() -> block()));
    }
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 50);
    server.createContext("/ready", x -> answer(x, "ready"));
    server.createContext("/echo", x -> {
      long delay = number(x, "delayMs", 0);
      if (delay > 0) sleep(delay); else work();
      answer(x, "ok " + number(x, "seed", -1));
    });
    server.createContext("/ask", x -> answer(x, ask(args[args.length - 1])));
    server.createContext("/churn", x -> {
      for (int i = 0; i < number(x, "mb", 100); i++) sink = new byte[1 << 20];
      answer(x, "churned");
    });
    server.createContext("/contend", x -> {
      contend((int) number(x, "threads", 4), number(x, "virtual", 0) == 1);
      answer(x, "contended");
    });
    server.createContext("/login", x -> {
      x.getResponseHeaders().add("Set-Cookie", "session=s1; Path=/");
      answer(x, "<input name=\"_csrf\" value=\"t0ken\">");
    });
    server.createContext("/visits", x -> {
      String form = new String(x.getRequestBody().readAllBytes());
      boolean ours = "session=s1".equals(x.getRequestHeaders().getFirst("Cookie"));
      boolean right = ours && form.startsWith("_csrf=t0ken&date=2026-11-22&owner=");
      x.getResponseHeaders().add("Location", "/ready");
      x.sendResponseHeaders(right ? 302 : 403, -1);
      x.close();
    });
    server.createContext("/env", x -> answer(x, String.join("\n", System.getenv().keySet())));
    server.setExecutor(Executors.newFixedThreadPool(2));
    server.start();
    System.out.println("listening");
  }

  /** A question to what it was told is its database: a host, a port, a name. */
  static String ask(String database) throws java.io.IOException {
    String[] at = database.substring("--database=".length()).split("[:/]");
    try (Socket socket = new Socket(at[0], Integer.parseInt(at[1]))) {
      socket.getOutputStream().write((at[2] + "?").getBytes());
      return new String(socket.getInputStream().readNBytes(at[2].length() + 1));
    }
  }

  /** Long enough for a profiler to meet it, and in Java code: JDK 21's recorder hardly sees a thread that asks for the time. */
  static void work() {
    long end = System.nanoTime() + 1_000_000, sum = end;
    while (System.nanoTime() < end) {
      for (int i = 0; i < 20_000; i++) sum = sum * 31 + i;
    }
    sink = sum;
  }

  static void block() {
    while (true) sleep(1000);
  }

  /** The first holds the lock until all others are about to enter it. */
  static void contend(int threads, boolean virtual) {
    // Until 24 a virtual thread keeps its carrier while blocked: only as many start as there are carriers.
    boolean carried = virtual && Runtime.version().feature() < 24;
    int enter = carried ? Math.min(threads, Runtime.getRuntime().availableProcessors()) : threads;
    Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
    List<Thread> all = new ArrayList<>();
    try {
      synchronized (lock) {
        for (int i = 0; i < threads; i++) {
          all.add(builder.start(() -> {
            synchronized (lock) { sink = Thread.currentThread(); }
          }));
        }
        while (all.stream().filter(t -> t.getState() == Thread.State.BLOCKED).count() < enter) sleep(1);
      }
      for (Thread t : all) t.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void sleep(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static long number(HttpExchange x, String name, long otherwise) {
    Map<String, String> query = new HashMap<>();
    String text = x.getRequestURI().getQuery();
    if (text != null) {
      for (String pair : text.split("&")) query.put(pair.split("=")[0], pair.split("=")[1]);
    }
    return query.containsKey(name) ? Long.parseLong(query.get(name)) : otherwise;
  }

  static void answer(HttpExchange x, String body) throws java.io.IOException {
    byte[] bytes = body.getBytes();
    x.sendResponseHeaders(200, bytes.length);
    x.getResponseBody().write(bytes);
    x.close();
  }
}
