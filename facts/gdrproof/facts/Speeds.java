package gdrproof.facts;

import java.util.Locale;

/** Names and rates of InfiniBand lanes. */
public final class Speeds {
  /** Signalling rate as switches print it, and the rate the trade gives it, Gb/s a lane. */
  private static final double[][] LANES = {{2.5, 2.5}, {5, 5}, {10.3125, 10}, {10, 10}, {14.0625, 14}, {25.78125, 25}, {53.125, 50}, {106.25, 100}, {212.5, 200}};

  private Speeds() {}

  /** Gb/s of one lane of a speed name (`NDR`, `IB-NDR`); unknown for other words. */
  public static Num laneGbps(String name) {
    return switch (name.toUpperCase(Locale.ROOT).replaceFirst("^IB-", "")) {
      case "SDR" -> Num.of(2.5);
      case "DDR" -> Num.of(5);
      case "QDR", "FDR10" -> Num.of(10);
      case "FDR" -> Num.of(14);
      case "EDR" -> Num.of(25);
      case "HDR" -> Num.of(50);
      case "NDR" -> Num.of(100);
      case "XDR" -> Num.of(200);
      default -> Num.UNKNOWN;
    };
  }

  /** The trade's rate of a signalling rate (106.25 is 100); any other number as it is. */
  public static Num tradeGbps(Num signalling) {
    for (double[] step : LANES) {
      if (signalling.known() && Math.abs(step[0] - signalling.value()) < 0.01) {
        return Num.of(step[1]);
      }
    }
    return signalling;
  }
}
