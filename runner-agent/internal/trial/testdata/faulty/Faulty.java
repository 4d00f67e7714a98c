import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A server with one fault, by its name: for the agent's own tests. */
public class Faulty {
  /** Faults named late-… begin after the agent has verified the answer. */
  static final int VERIFIED = 1;

  /** Those named measured-… begin after the warm-up too, which is ten hits, and before the step's ten are over. */
  static final int WARM = 15;

  static final AtomicInteger echoes = new AtomicInteger();
  static final List<Object> held = new ArrayList<>();

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    String fault = args[2];
    switch (fault) {
      case "dead" -> {
        System.err.println("dead on purpose\0\33[2J");
        System.exit(3);
      }
      case "deaf" -> Thread.sleep(600_000);
      case "daemon" -> new ProcessBuilder("setsid", "sleep", "600").inheritIO().start();
      case "prints" -> Thread.ofPlatform().daemon().start(Faulty::print);
      default -> {}
    }
    var threads = Executors.newCachedThreadPool();
    try (var listening = new ServerSocket(port, 50, InetAddress.getByName(args[1]))) {
      while (true) {
        try {
          Socket s = listening.accept();
          threads.execute(() -> serve(s, fault));
        } catch (IOException e) {
          System.err.println("cannot accept: " + e.getMessage());
          Thread.sleep(100);
        }
      }
    }
  }

  static void serve(Socket socket, String fault) {
    try (socket) {
      var in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
      while (true) {
        String request = in.readLine();
        if (request == null) return;
        for (String header = in.readLine(); header != null && !header.isEmpty(); ) header = in.readLine();
        answer(socket.getOutputStream(), request.split(" ")[1], fault);
      }
    } catch (IOException e) {
      // The other side has gone.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void answer(OutputStream out, String path, String fault) throws IOException, InterruptedException {
    boolean ready = path.startsWith("/ready");
    int echo = ready ? 0 : echoes.incrementAndGet();
    boolean late = echo > VERIFIED;
    if (fault.equals("hangs") || late && fault.equals("late-hangs")) Thread.sleep(600_000);
    else if (fault.equals("garbage") || late && fault.equals("late-garbage")) out.write("\0\1\2 what?\n\n".repeat(50).getBytes());
    else if (!ready && fault.equals("wrong")) ok(out, "no");
    else if (!ready && fault.equals("redirects") && path.startsWith("/echo"))
      out.write("HTTP/1.1 307 Go there\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n".getBytes());
    else if (!ready && fault.equals("closes") || late && fault.equals("late-closes")) close(out);
    else if (!ready && fault.equals("floods") || late && fault.equals("late-floods")) flood(out);
    else if (late && fault.equals("late-dies")) Runtime.getRuntime().halt(7);
    else if (late && fault.equals("late-crashes") || echo > WARM && fault.equals("measured-crashes")) crash();
    else if (late && fault.equals("late-descriptors")) exhaust(out);
    else if (late && fault.equals("late-memory")) fill(out);
    else ok(out, "ok 7");
  }

  static void ok(OutputStream out, String body) throws IOException {
    out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body).getBytes());
  }

  /** Promises more than it sends. */
  static void close(OutputStream out) throws IOException {
    out.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok".getBytes());
    throw new IOException("closed on purpose");
  }

  static void flood(OutputStream out) throws IOException {
    out.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".getBytes());
    byte[] much = new byte[1 << 16];
    while (true) out.write(much);
  }

  /** As a defect of the JVM itself does. */
  static void crash() throws IOException {
    new ProcessBuilder("kill", "-SEGV", Long.toString(ProcessHandle.current().pid())).start();
  }

  static void exhaust(OutputStream out) throws IOException {
    synchronized (held) {
      try {
        while (true) held.add(new java.io.FileInputStream("/dev/null"));
      } catch (IOException e) {
        System.err.println(e.getMessage());
        throw e;
      }
    }
  }

  static void fill(OutputStream out) throws IOException {
    synchronized (held) {
      while (true) held.add(new byte[1 << 23]);
    }
  }

  static void print() {
    while (true) System.out.println("much ado about nothing ".repeat(20));
  }
}
