package gdrproof.probe;

import java.io.OutputStream;

/**
 * A place under the name that the evidence has for it: logs name a node `gpu-07` that is reached as `10.0.0.7`, or a host name of a UTS namespace that lies on this machine.
 *
 * @param node name in the evidence
 */
record NamedTarget(String node, Target place) implements Target {
  @Override
  public Boundary boundary() {
    return place.boundary();
  }

  @Override
  public String describe() {
    return node + " as " + place.describe();
  }

  @Override
  public Running start(Command command, OutputStream out) throws ProbeException {
    return place.start(command, out);
  }

  @Override
  public void close() {
    place.close();
  }
}
