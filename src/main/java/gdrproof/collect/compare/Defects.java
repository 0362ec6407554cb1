package gdrproof.collect.compare;

import gdrproof.facts.Compare.KnownDefect;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.SmiDriver;
import gdrproof.facts.Host.EnvValue;
import gdrproof.facts.Host.HostMessage;
import gdrproof.facts.Host.Module;
import gdrproof.facts.Host.NvidiaDriver;
import gdrproof.facts.Host.SoftwareVersion;
import gdrproof.facts.Ledger;
import gdrproof.facts.Nccl.NcclHca;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.facts.Nccl.NcclRank;
import gdrproof.facts.Nccl.NcclVersion;
import gdrproof.facts.Operator.DriverVariable;
import gdrproof.facts.Operator.OperatorRelease;
import gdrproof.facts.Rdma.PortMtu;
import gdrproof.facts.Tri;
import gdrproof.facts.Versions;
import gdrproof.policy.Policies;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Sets the releases of a bundle beside `policies/known-defects.yaml`: which entries are in range, and whether what else they need is there. */
public final class Defects {
  private static final int MOST_EVIDENCE = 4;

  private final Ledger ledger;
  private final Collection<Fact> facts;

  private Defects(Ledger ledger) {
    this.ledger = ledger;
    this.facts = ledger.unsorted();
  }

  /** Adds a fact for each release in range whose guard does not fail. */
  public static void derive(Ledger ledger) {
    Map<String, Map<String, Fact>> releases = releases(ledger.unsorted());
    if (releases.isEmpty()) {
      return;
    }
    Defects defects = new Defects(ledger);
    Policies.read("known-defects.yaml").forEach((id, entry) -> defects.entry(id, Policies.map(entry), releases));
  }

  /** Component to `node version` to the fact that says so. */
  private static Map<String, Map<String, Fact>> releases(Collection<Fact> facts) {
    Map<String, Map<String, Fact>> releases = new TreeMap<>();
    for (Fact fact : facts) {
      if (fact instanceof NcclVersion v) {
        put(releases, "nccl", v.version(), fact);
      } else if (fact instanceof NvidiaDriver d) {
        put(releases, "gpu-driver", d.version(), fact);
      } else if (fact instanceof SmiDriver d) {
        put(releases, "gpu-driver", d.driver(), fact);
      } else if (fact instanceof SoftwareVersion s) {
        put(releases, s.component().equals("nvidia-driver") ? "gpu-driver" : s.component(), s.version(), fact);
      } else if (fact instanceof OperatorRelease r) {
        put(releases, "network-operator", r.version(), fact);
      }
    }
    return releases;
  }

  private static void put(Map<String, Map<String, Fact>> releases, String component, String version, Fact fact) {
    if (Versions.known(version)) {
      releases.computeIfAbsent(component, c -> new TreeMap<>()).merge(fact.node() + " " + version, fact, (a, b) -> a.toString().compareTo(b.toString()) <= 0 ? a : b);
    }
  }

  private void entry(String id, Map<String, Object> entry, Map<String, Map<String, Fact>> releases) {
    String component = String.valueOf(entry.get("component"));
    releases.getOrDefault(component, Map.of()).forEach((key, fact) -> {
      String version = key.substring(key.indexOf(' ') + 1);
      if (!Versions.atLeast(numbers(version), numbers(entry.get("from"))) || !Versions.below(numbers(version), numbers(entry.get("below")))) {
        return;
      }
      Set<Evidence> sources = new TreeSet<>();
      for (Map<String, Object> condition : Policies.maps(entry.get("guard"))) {
        Collection<Fact> found = condition.containsKey("unset") ? List.of() : matching(condition);
        if (condition.containsKey("unset") ? set(String.valueOf(condition.get("unset"))) : found.isEmpty()) {
          return;
        }
        found.stream().flatMap(f -> ledger.of(f).stream()).sorted().limit(MOST_EVIDENCE).forEach(sources::add);
      }
      ledger.of(fact).stream().limit(1).forEach(sources::add);
      Tri guard = Boolean.TRUE.equals(entry.get("decisive")) ? Tri.YES : Tri.UNKNOWN;
      ledger.add(new KnownDefect(fact.node(), id, component, version, String.valueOf(entry.get("fault")), Policies.texts(entry.get("symptoms")), guard,
          String.valueOf(entry.get("what")), String.valueOf(entry.get("remedy")), String.valueOf(entry.get("source"))), sources);
    });
  }

  /** `6.8.0-101` counts its build too. */
  private static String numbers(Object version) {
    return String.valueOf(version).replaceFirst("^(\\d+(?:\\.\\d+)*)-(\\d+)", "$1.$2");
  }

  private boolean set(String assignment) {
    String[] parts = assignment.split("=", 2);
    return facts.stream().anyMatch(f -> f instanceof EnvValue e && e.name().equals(parts[0]) && e.value().equals(parts[1]));
  }

  private Collection<Fact> matching(Map<String, Object> condition) {
    Map.Entry<String, Object> kind = condition.entrySet().stream().filter(e -> !e.getKey().equals("with")).findFirst().orElseThrow();
    String value = String.valueOf(kind.getValue());
    return switch (kind.getKey()) {
      case "message" -> messages(Pattern.compile(value), String.valueOf(condition.getOrDefault("with", "")));
      case "setting" -> settings(value.split("=", 2)[0], Pattern.compile(value.split("=", 2)[1]));
      case "link" -> some(f -> f instanceof NcclHca h && h.link().equals(value));
      case "module" -> some(f -> f instanceof Module m && m.name().equals(value));
      case "ranks" -> some(f -> f instanceof NcclRank r && r.ranks().above(Double.parseDouble(value)));
      case "mtus-differ" -> mtus();
      default -> throw new IllegalStateException("policies/known-defects.yaml: no condition " + kind.getKey());
    };
  }

  private Collection<Fact> messages(Pattern id, String with) {
    String field = with.contains("=") ? with.substring(0, with.indexOf('=')) : "";
    Pattern pattern = Pattern.compile(with.substring(with.indexOf('=') + 1));
    Function<Function<String, String>, Boolean> fits = read -> field.isEmpty() || pattern.matcher(read.apply(field)).matches();
    return some(f -> f instanceof NcclMessage m && id.matcher(m.id()).matches() && fits.apply(m::field)
        || f instanceof HostMessage h && id.matcher(h.id()).matches() && fits.apply(h::field));
  }

  private Collection<Fact> settings(String name, Pattern value) {
    return some(f -> f instanceof EnvValue e && e.name().equals(name) && value.matcher(e.value()).matches()
        || f instanceof DriverVariable d && d.name().equals(name) && value.matcher(d.value()).matches());
  }

  private Collection<Fact> mtus() {
    Map<String, List<PortMtu>> mtus = facts.stream().filter(PortMtu.class::isInstance).map(PortMtu.class::cast).filter(m -> m.activeBytes().known())
        .collect(Collectors.groupingBy(m -> m.activeBytes().toString()));
    return mtus.size() > 1 && mtus.values().stream().flatMap(List::stream).map(PortMtu::node).distinct().count() > 1
        ? mtus.values().stream().map(l -> (Fact) l.get(0)).toList() : List.of();
  }

  private Collection<Fact> some(Predicate<Fact> wanted) {
    return facts.stream().filter(wanted).sorted(java.util.Comparator.comparing(Fact::toString)).limit(MOST_EVIDENCE).toList();
  }
}
