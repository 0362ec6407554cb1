package gdrproof.collect.kube;

import gdrproof.facts.Fact;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What objects of a set say under their names. One name may stand in several files, since a repository holds examples and environments side by side: the object that a user
 * means is in its namespace, and the nearest one, in the same file before the same folder.
 */
final class Named<T> {
  private record Home<T>(String namespace, String file, T value) {}

  private final Map<String, List<Home<T>>> homes = new HashMap<>();

  void add(String name, Manifest holder, T value) {
    homes.computeIfAbsent(name, n -> new ArrayList<>(1)).add(new Home<>(holder.namespace(), holder.document().file(), value));
  }

  /** Whether any object that the user could mean has the name. */
  boolean has(Manifest user, String name) {
    return homes.getOrDefault(name, List.of()).stream().anyMatch(home -> reaches(user, home));
  }

  /** Null where none has the name, or where several could be meant and none is nearer than the others. */
  T meant(Manifest user, String name) {
    List<Home<T>> reached = homes.getOrDefault(name, List.of()).stream().filter(home -> reaches(user, home)).toList();
    if (reached.size() <= 1) {
      return reached.isEmpty() ? null : reached.get(0).value();
    }
    String file = user.document().file();
    T near = last(reached, home -> home.file().equals(file));
    if (near != null) {
      return near;
    }
    String folder = folder(file);
    List<Home<T>> beside = reached.stream().filter(home -> folder(home.file()).equals(folder)).toList();
    return beside.size() == 1 ? beside.get(0).value() : null;
  }

  private static <T> T last(List<Home<T>> homes, Predicate<Home<T>> fits) {
    T found = null;
    for (Home<T> home : homes) {
      found = fits.test(home) ? home.value() : found;
    }
    return found;
  }

  /** A namespace that a file does not state is any. */
  private static boolean reaches(Manifest user, Home<?> home) {
    return home.namespace().equals(user.namespace()) || home.namespace().equals(Fact.UNKNOWN) || user.namespace().equals(Fact.UNKNOWN);
  }

  private static String folder(String file) {
    return file.substring(0, file.lastIndexOf('/') + 1);
  }
}
