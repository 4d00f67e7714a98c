import java.io.BufferedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Reads a recording event by event and prints what the agent needs of it, tab-separated; the first field of a line says
 * what it is. Arguments: the file, then the stretches to look at, each from-to in ns of the epoch.
 */
public final class Recording {
  static final int MOST_STACKS = 100_000; // distinct ones; what comes after is counted as (other)
  static final int MOST_WAITS = 200_000;
  static final long SHORTEST_WAIT = 1_000_000; // ns; shorter ones are counted, not listed

  /** How often, how long in all, how long at most. */
  static final class Sum {
    long count;
    long total;
    long longest;

    void add(long ns) {
      count++;
      total += ns;
      longest = Math.max(longest, ns);
    }
  }

  final List<long[]> stretches = new ArrayList<>();
  final Map<String, Long> stacks = new HashMap<>();
  final Map<String, Sum> sums = new TreeMap<>();
  final PrintStream out = new PrintStream(new BufferedOutputStream(System.out, 1 << 16), false, StandardCharsets.UTF_8);
  int waits;
  long truncated;
  double load;
  long loads;
  long lost;

  public static void main(String[] args) throws Exception {
    Recording r = new Recording();
    for (int i = 1; i < args.length; i++) {
      String[] ends = args[i].split("-");
      r.stretches.add(new long[] {Long.parseLong(ends[0]), Long.parseLong(ends[1])});
    }
    try (RecordingFile file = new RecordingFile(Path.of(args[0]))) {
      while (file.hasMoreEvents()) {
        r.take(file.readEvent());
      }
    }
    r.print();
  }

  void take(RecordedEvent e) {
    String name = e.getEventType().getName();
    if (name.equals("jdk.DataLoss")) {
      lost += e.getLong("amount");
    }
    if (!looked(e)) {
      return;
    }
    switch (name) {
      case "jdk.ExecutionSample" -> sample(e);
      case "jdk.CPULoad" -> {
        load += e.getFloat("jvmUser") + e.getFloat("jvmSystem");
        loads++;
      }
      case "jdk.JavaMonitorEnter" -> waited(e, "enter", e.getClass("monitorClass"), true);
      case "jdk.JavaMonitorWait" -> waited(e, "wait", e.getClass("monitorClass"), false);
      case "jdk.ThreadPark" -> parked(e);
      case "jdk.MethodTrace" -> acquired(e);
      case "jdk.VirtualThreadPinned" -> sum("pinned", e.hasField("pinnedReason") ? e.getString("pinnedReason") : "", e);
      case "jdk.GarbageCollection" -> collected(e);
      case "jdk.ZAllocationStall" -> interval("stall", e);
      case "jdk.ThreadStart" -> sum("started", "platform", e);
      case "jdk.VirtualThreadStart" -> sum("started", "virtual", e);
      default -> {}
    }
  }

  /** An event counts when it overlaps a stretch. */
  boolean looked(RecordedEvent e) {
    long from = nanos(e.getStartTime());
    long to = nanos(e.getEndTime());
    for (long[] s : stretches) {
      if (from < s[1] && to >= s[0]) {
        return true;
      }
    }
    return false;
  }

  static long nanos(Instant t) {
    return t.getEpochSecond() * 1_000_000_000L + t.getNano();
  }

  static String kind(RecordedEvent e) {
    RecordedThread thread = e.getThread();
    return thread != null && thread.isVirtual() ? "virtual" : "platform";
  }

  static long thread(RecordedEvent e) {
    RecordedThread thread = e.getThread();
    return thread == null ? -1 : thread.getId();
  }

  void sample(RecordedEvent e) {
    RecordedStackTrace trace = e.getStackTrace();
    if (trace == null) {
      return;
    }
    if (trace.isTruncated()) {
      truncated++;
    }
    List<String> frames = new ArrayList<>();
    for (RecordedFrame frame : trace.getFrames()) {
      if (frame.isJavaFrame()) {
        RecordedMethod m = frame.getMethod();
        frames.add(clean(m.getType().getName()) + "." + clean(m.getName()));
      }
    }
    Collections.reverse(frames);
    String stack = String.join(";", frames);
    stacks.merge(stacks.size() < MOST_STACKS || stacks.containsKey(stack) ? stack : "(other)", 1L, Long::sum);
  }

  /** Hidden classes are numbered anew in every JVM: without their numbers the same code has the same name. */
  static String clean(String name) {
    return name.replaceAll("(\\$\\$Lambda|LambdaForm\\$[A-Za-z]+)([/.$]?(0x)?[0-9a-f]+)*", "$1").replaceAll("[;\\s]", "_");
  }

  void parked(RecordedEvent e) {
    RecordedClass parked = e.getClass("parkedClass");
    // Idle workers park on conditions: only who waits for a lock or a permit is held by others.
    if (parked != null && parked.getName().matches("java\\.util\\.concurrent\\.(locks\\.(Reentrant|Stamped)|Semaphore).*")
        && !parked.getName().contains("ConditionObject")) {
      waited(e, "park", parked, true);
    }
  }

  /** AbstractQueuedSynchronizer.acquire(int) is what a thread of either kind enters once a lock was not free. */
  void acquired(RecordedEvent e) {
    RecordedMethod m = e.getValue("method");
    if (m.getDescriptor().equals("(I)V")) {
      waited(e, "acquire", m.getType(), true);
    }
  }

  void waited(RecordedEvent e, String how, RecordedClass on, boolean held) {
    sum("lock", how + "\t" + kind(e) + "\t" + (on == null ? "(unknown)" : clean(on.getName())), e);
    if (held && e.getDuration().toNanos() >= SHORTEST_WAIT) {
      interval("waited", e);
    }
  }

  void collected(RecordedEvent e) {
    String what = e.getString("name") + "\t" + e.getString("cause");
    Sum pauses = sums.computeIfAbsent("gc\t" + what.replace('\n', ' '), k -> new Sum());
    pauses.count++;
    pauses.total += e.getDuration("sumOfPauses").toNanos();
    pauses.longest = Math.max(pauses.longest, e.getDuration("longestPause").toNanos());
  }

  void sum(String what, String of, RecordedEvent e) {
    Duration took = e.getDuration();
    sums.computeIfAbsent(what + "\t" + of.replace('\n', ' '), k -> new Sum()).add(took.toNanos());
  }

  void interval(String what, RecordedEvent e) {
    if (waits++ < MOST_WAITS) {
      out.println(what + "\t" + thread(e) + "\t" + nanos(e.getStartTime()) + "\t" + nanos(e.getEndTime()));
    }
  }

  void print() {
    sums.forEach((what, s) -> out.println(what + "\t" + s.count + "\t" + s.total + "\t" + s.longest));
    stacks.forEach((stack, count) -> out.println("stack\t" + count + "\t" + stack));
    out.println("load\t" + (loads == 0 ? "" : Double.toString(load / loads)));
    out.println("unlisted\t" + Math.max(0, waits - MOST_WAITS));
    out.println("truncated\t" + truncated);
    out.println("lost\t" + lost);
    out.println("end");
    out.flush();
  }
}
