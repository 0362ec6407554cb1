package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.ModuleAtBoot;
import gdrproof.facts.Host.ModuleFileMissing;
import gdrproof.facts.Host.ModuleInfo;
import gdrproof.facts.Host.NvidiaDriver;
import gdrproof.facts.Tri;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `modinfo`, and the lists of modules that are loaded at boot. */
final class ModuleFiles implements Collector {
  private static final Pattern FIELD = Pattern.compile("^(?<key>filename|version|license|name|vermagic|signer|srcversion|depends|intree|retpoline|sig_key|sig_hashalgo|description):\\s*(?<value>.*?)\\s*$");
  private static final Pattern NOT_FOUND = Pattern.compile(
      "mod(?:info|probe): (?:ERROR|FATAL): Module '?(?<name>[\\w-]+)'? not found(?: in directory \\S+?)?\\.?$|insmod: ERROR: .*?(?<file>[\\w-]+)\\.ko: No such file");
  private static final Pattern LOAD_FILE = Pattern.compile("modules-load\\.d|/etc/modules\\b|/etc/rc\\.modules");
  private static final Pattern LOAD_LINE = Pattern.compile("^(?:/\\S*(?:modules-load\\.d/\\S+|etc/modules)\\s*:\\s*)?(?<name>[a-z][\\w-]*)\\s*$");
  private static final Pattern LOAD_PREFIXED = Pattern.compile("^/\\S*(?:modules-load\\.d/[^:\\s]+|etc/modules):\\s*(?<name>[a-z][\\w-]*)\\s*$");

  /** One field alone: the bare value is printed, which only the command explains. */
  private static final Pattern ASKED = Pattern.compile("\\bmodinfo\\s+(?:-k\\s+\\S+\\s+)?(?:(?:-F\\s*|--field[= ])(?<field>[a-z]+)|-(?<letter>[aln]))\\s+(?:\\S*/)?(?<name>[\\w-]+)(?:\\.ko(?:\\.\\w+)?)?\\s*(?:2>\\S+\\s*)?$");
  private static final Map<String, String> LETTERS = Map.of("l", "license", "n", "filename", "a", "author");
  private static final Set<String> WHOLE = Set.of("filename", "license", "description", "depends", "name", "vermagic");

  @Override
  public String tool() {
    return "modinfo nvidia-peermem";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Map<String, String> fields = new HashMap<>();
    int start = 0;
    int last = 0;
    boolean boot = Views.command(section, LOAD_FILE) || LOAD_FILE.matcher(section.file()).find();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher field = FIELD.matcher(line);
      Matcher m;
      if (field.matches()) {
        if (field.group("key").equals("filename") && !fields.isEmpty()) {
          put(section, sink, fields, start, last);
          fields.clear();
        }
        start = fields.isEmpty() ? i : start;
        last = i;
        fields.putIfAbsent(field.group("key"), field.group("value"));
      } else if ((m = NOT_FOUND.matcher(line)).find()) {
        String name = m.group("name") == null ? m.group("file") : m.group("name");
        sink.fact(new ModuleFileMissing(section.node(), name.replace('-', '_')), section.at(i));
      } else if ((m = LOAD_PREFIXED.matcher(line.strip())).matches() || boot && (m = LOAD_LINE.matcher(line.strip())).matches()) {
        sink.fact(new ModuleAtBoot(section.node(), m.group("name").replace('-', '_')), section.at(i));
      }
    }
    put(section, sink, fields, start, last);
    asked(section, sink);
  }

  private static void asked(Section section, Sink sink) {
    Matcher asked = ASKED.matcher(section.command().strip());
    List<String> lines = section.lines().stream().filter(l -> !l.isBlank()).toList();
    if (!asked.find() || lines.size() != 1 || NOT_FOUND.matcher(lines.get(0)).find()) {
      return;
    }
    String field = asked.group("field") == null ? LETTERS.get(asked.group("letter")) : asked.group("field");
    String name = asked.group("name").replace('-', '_');
    String license = field.equals("license") ? lines.get(0).strip() : Fact.UNKNOWN;
    String version = field.equals("version") ? lines.get(0).strip() : Fact.UNKNOWN;
    if (license.equals(version)) {
      return;
    }
    int at = section.lines().indexOf(lines.get(0));
    sink.fact(new ModuleInfo(section.node(), name, version, license, Fact.UNKNOWN, Fact.UNKNOWN), section.at(at));
    if (name.equals("nvidia")) {
      sink.fact(new NvidiaDriver(section.node(), version, open(license), "file"), section.at(at));
    }
  }

  private static Tri open(String license) {
    return license.contains("GPL") ? Tri.YES : license.equals("NVIDIA") ? Tri.NO : Tri.UNKNOWN;
  }

  private static void put(Section section, Sink sink, Map<String, String> fields, int start, int last) {
    if (!fields.containsKey("filename") || !fields.containsKey("license") && !fields.containsKey("version")) {
      return;
    }
    String file = fields.get("filename");
    String base = file.substring(file.lastIndexOf('/') + 1).replaceFirst("\\.ko(?:\\.\\w+)?$", "");
    String name = fields.getOrDefault("name", base).replace('-', '_');
    // The kernel's own modules have no version line; the lines that the build adds to every module show that nothing was cut or filtered.
    boolean whole = fields.keySet().containsAll(WHOLE) && (fields.containsKey("retpoline") || fields.containsKey("srcversion")) && !Views.filtered(section);
    String version = value(fields, "version");
    String license = value(fields, "license");
    String vermagic = value(fields, "vermagic");
    sink.fact(new ModuleInfo(section.node(), name, whole && !fields.containsKey("version") ? "none" : version, license, vermagic.split("\\s")[0], value(fields, "signer")), section.at(start, last));
    if (name.equals("nvidia")) {
      sink.fact(new NvidiaDriver(section.node(), version, open(license), "file"), section.at(start, last));
    }
  }

  private static String value(Map<String, String> fields, String key) {
    String value = fields.getOrDefault(key, "");
    return value.isEmpty() ? Fact.UNKNOWN : value;
  }
}
