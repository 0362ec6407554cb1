package gdrproof.collect.operator;

import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.List;

/**
 * One object, or one values file, of a set of files.
 *
 * @param id `kind/namespace/name`; with the file behind it where several files hold one name
 * @param kind HelmValues for values, JsonPatch for a JSON6902 patch, PluginConfig for a configuration that a device plugin itself reads
 * @param name name of the object; name of the chart for values
 * @param root the object; for values the map of values, wherever it stood (values file, HelmRelease, Application)
 * @param partial a patch, or one of several documents of one name
 * @param version chart version where the holder of the values tells it, else ""
 */
public record OperatorDoc(String id, String kind, String apiVersion, String namespace, String name, Part root, String file, boolean partial,
    String version) {
  public static final String VALUES = "HelmValues";
  public static final String PATCH = "JsonPatch";
  public static final String PLUGIN = "PluginConfig";

  boolean isValues(String chart) {
    return kind.equals(VALUES) && name.equals(chart);
  }

  public boolean isValues() {
    return kind.equals(VALUES);
  }

  public boolean isClusterOrNodePolicy() {
    return isPolicy();
  }

  Tri isPartial() {
    return Tri.of(partial);
  }

  /** Whether this is a policy that carries driver and device plugins: NicClusterPolicy or NicNodePolicy. */
  boolean isPolicy() {
    return kind.equals("NicClusterPolicy") || kind.equals("NicNodePolicy");
  }

  /** Maps that hold pod specs (`containers`) anywhere in the object. */
  public List<Part> podSpecs() {
    List<Part> found = new ArrayList<>();
    collect(root, found);
    return found;
  }

  private static void collect(Part part, List<Part> found) {
    if (part.isMap() && part.get("containers").isList()) {
      found.add(part);
    }
    part.fields().values().forEach(each -> collect(each, found));
    part.items().forEach(each -> collect(each, found));
  }

  OperatorDoc renamed(String newId) {
    return new OperatorDoc(newId, kind, apiVersion, namespace, name, root, file, partial, version);
  }

  OperatorDoc asPartial() {
    return new OperatorDoc(id, kind, apiVersion, namespace, name, root, file, true, version);
  }
}
