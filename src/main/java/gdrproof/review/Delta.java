package gdrproof.review;

import gdrproof.collect.operator.OperatorDoc;
import gdrproof.collect.operator.Part;

/**
 * One difference of two states.
 *
 * @param before document of the before state, null for an object that is new
 * @param path place for people, with names of list items
 * @param key path without list positions and without `spec.`
 * @param type added, removed, changed
 */
record Delta(OperatorDoc before, OperatorDoc after, String path, String key, String type, Part was, Part is) {
  OperatorDoc doc() {
    return after == null ? before : after;
  }

  /** The part that the report points at: of the after state, of the before state for removals. */
  Part place() {
    return type.equals("removed") ? was : is;
  }

  String section() {
    int dot = key.indexOf('.');
    return dot < 0 ? key : key.substring(0, dot);
  }
}
