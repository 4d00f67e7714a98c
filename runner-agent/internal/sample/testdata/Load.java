import java.util.ArrayList;
import java.util.List;

/** What the captured counter files and logs were taken from: some garbage, then quiet. */
public class Load {
  static volatile Object sink;

  public static void main(String[] args) throws Exception {
    List<byte[]> keep = new ArrayList<>();
    for (int i = 0; i < 16; i++) keep.add(new byte[1 << 20]);
    for (int i = 0; i < 600; i++) {
      sink = new byte[500_000];
      if (i % 10 == 0) Thread.sleep(1);
    }
    System.out.println("ready " + keep.size());
    System.in.read();
  }
}
