package gdrproof.collect.operator;

import gdrproof.bundle.Yaml.Document;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Files that cannot be one cluster's: when one operator object stands whole in several files, the set holds alternatives (examples, environments), and what one of them
 * selects says nothing about another. Patches of an object are no second object.
 */
public final class Alternatives {
  private Alternatives() {}

  /**
   * Splits files into sets that are judged each by itself: all together where no object stands twice, else by folder, and file by file in a folder whose own files contradict.
   *
   * @param files names of all files, in order
   * @param documents what was read from them
   */
  public static List<List<String>> split(List<String> files, List<Document> documents) {
    if (files.size() < 2) {
      return List.of(files);
    }
    Map<String, Set<String>> homes = OperatorSet.homes(documents);
    Set<String> conflicts = new HashSet<>();
    Set<String> folders = new HashSet<>();
    homes.values().stream().filter(h -> h.size() > 1).forEach(h -> {
      conflicts.addAll(h);
      Map<String, Integer> count = new HashMap<>();
      h.forEach(file -> count.merge(folder(file), 1, Integer::sum));
      count.forEach((folder, n) -> {
        if (n > 1) {
          folders.add(folder);
        }
      });
    });
    if (conflicts.isEmpty()) {
      return List.of(files);
    }
    Map<String, List<String>> groups = new LinkedHashMap<>();
    for (String file : files) {
      String folder = folder(file);
      groups.computeIfAbsent(folders.contains(folder) ? file : folder, g -> new ArrayList<>()).add(file);
    }
    return List.copyOf(groups.values());
  }

  private static String folder(String file) {
    return file.contains("/") ? file.substring(0, file.lastIndexOf('/')) : "";
  }
}
