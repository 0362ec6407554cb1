package gdrproof.finding;

import java.util.Locale;

/** Where a fault lives, lowest first; launcher and application stand beside the stack. */
public enum Layer {
  GPU_TOPOLOGY,
  GPU_NIC_PATH,
  RDMA_ENABLEMENT,
  FABRIC,
  CONTAINER,
  NCCL_TRANSPORT,
  COLLECTIVE_PERFORMANCE,
  REPEATABILITY,
  LAUNCHER,
  APPLICATION;

  public static Layer parse(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
