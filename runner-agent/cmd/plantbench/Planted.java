import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A server that holds its hits on purpose, from /begin on, and prints when: "plant from to" in ns of System.nanoTime,
 * which is the host's monotonic clock. Arguments: port, what to plant.
 */
public class Planted {
  static final Object lock = new Object();
  static final AtomicLong hits = new AtomicLong();
  static final Random random = new Random(1);
  static volatile long sink;
  static boolean watched;
  static Node live;

  /** Small objects by the million make a collection take its time. */
  static final class Node {
    final Node next;
    final long[] load = new long[2];

    Node(Node next) {
      this.next = next;
    }
  }

  interface Plant {
    void run() throws Exception;
  }

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    String cause = args[1];
    Plant plant = switch (cause) {
      case "gc" -> Planted::collect;
      case "safepoint" -> Planted::reachSlowly;
      case "lock" -> Planted::hold;
      case "throttled" -> Planted::burn;
      case "nothing" -> () -> {};
      default -> throw new IllegalArgumentException(cause);
    };
    if (cause.equals("gc")) {
      for (int i = 0; i < 4_000_000; i++) live = new Node(live);
    }
    if (cause.equals("safepoint")) {
      for (int i = 0; i < 20; i++) sink += loop(20_000_000); // until it is compiled
    }
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 256);
    server.createContext("/ready", x -> answer(x, "ready"));
    server.createContext("/hit", x -> {
      if (cause.equals("lock") && hits.incrementAndGet() % 2 == 0) {
        synchronized (lock) { sink++; }
      }
      answer(x, "ok");
    });
    server.createContext("/begin", x -> {
      answer(x, "begun");
      Thread planter = new Thread(() -> plantForever(plant), "planter");
      planter.setDaemon(true);
      planter.start();
    });
    server.setExecutor(Executors.newFixedThreadPool(64));
    server.start();
  }

  static void plantForever(Plant plant) {
    try {
      while (true) {
        Thread.sleep(700 + random.nextInt(400));
        plant.run();
      }
    } catch (Exception e) {
      e.printStackTrace();
      System.exit(4);
    }
  }

  static void planted(long from, long to) {
    System.out.println("plant " + from + " " + to);
  }

  static void collect() {
    long from = System.nanoTime();
    System.gc();
    planted(from, System.nanoTime());
  }

  /** A counted loop without polls keeps everybody else waiting for it once a safepoint is asked for. */
  static void reachSlowly() throws Exception {
    long pace = System.nanoTime();
    sink += loop(20_000_000);
    pace = Math.max(1, System.nanoTime() - pace);
    int rounds = (int) (20_000_000L * 150_000_000L / pace);
    Thread looper = new Thread(() -> sink += loop(rounds), "looper");
    looper.start();
    Thread.sleep(10); // it is in its loop by then
    long from = System.nanoTime();
    ManagementFactory.getThreadMXBean().findDeadlockedThreads();
    long to = System.nanoTime();
    if (to - from > 20_000_000) planted(from, to);
    looper.join();
  }

  static long loop(int rounds) {
    long sum = 1;
    for (int i = 0; i < rounds; i++) sum = sum * 31 + i;
    return sum;
  }

  static void hold() throws Exception {
    synchronized (lock) {
      long from = System.nanoTime();
      Thread.sleep(200);
      planted(from, System.nanoTime());
    }
  }

  /**
   * Uses up the quota with two threads. When the process was not run is what these see, and a third one that looks all
   * the time: a quota that is used up stays so until its period ends, after the two have gone.
   */
  static void burn() throws Exception {
    if (!watched) {
      watched = true;
      Thread watcher = new Thread(Planted::watch, "watcher");
      watcher.setDaemon(true);
      watcher.start();
    }
    Thread other = new Thread(Planted::spin, "burner");
    other.start();
    spin();
    other.join();
  }

  static void watch() {
    for (long last = System.nanoTime(); ; ) {
      LockSupport.parkNanos(1_000_000);
      long now = System.nanoTime();
      if (now - last > 15_000_000) planted(last + 1_000_000, now);
      last = now;
    }
  }

  static void spin() {
    long end = System.nanoTime() + 400_000_000L;
    for (long last = System.nanoTime(); last < end; ) {
      long now = System.nanoTime();
      if (now - last > 20_000_000) planted(last, now); // longer than the scheduler makes a thread wait here
      last = now;
    }
  }

  static void answer(HttpExchange x, String body) throws IOException {
    byte[] bytes = body.getBytes();
    x.sendResponseHeaders(200, bytes.length);
    x.getResponseBody().write(bytes);
    x.close();
  }
}
