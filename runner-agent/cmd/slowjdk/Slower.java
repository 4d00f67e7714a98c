import com.sun.management.OperatingSystemMXBean;
import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Makes a JVM do extra work: a share of the CPU time that everything else in it takes. Argument: SHARE,VERSION. */
public final class Slower {

  /** Between payments of what is owed. How long it really lasts does not matter: the debt is reckoned from CPU times. */
  private static final long PAUSE_MS = 10;

  private Slower() {}

  public static void premain(String argument, Instrumentation unused) {
    String[] parts = argument.split(",", 2);
    double share = Double.parseDouble(parts[0]);
    System.setProperty("java.runtime.version", parts[1]);
    if (share > 0) {
      Thread.ofPlatform().daemon().name("slower").start(() -> work(share));
    }
  }

  private static void work(double share) {
    OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    try {
      while (true) {
        long own = threads.getCurrentThreadCpuTime();
        long owed = (long) (share * (process.getProcessCpuTime() - own));
        while (own < owed) {
          own = threads.getCurrentThreadCpuTime();
        }
        Thread.sleep(PAUSE_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
