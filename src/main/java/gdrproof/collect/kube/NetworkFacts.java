package gdrproof.collect.kube;

import gdrproof.bundle.Placeholders;
import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml;
import gdrproof.bundle.Yaml.Document;
import gdrproof.collect.kube.PodView.Ask;
import gdrproof.facts.Fact;
import gdrproof.facts.Kube.Attachment;
import gdrproof.facts.Kube.AttachmentBalance;
import gdrproof.facts.Kube.GkeInterfaces;
import gdrproof.facts.Kube.MisplacedAnnotation;
import gdrproof.facts.Kube.Placeholder;
import gdrproof.facts.Kube.PodInterfaces;
import gdrproof.facts.Kube.PodNetworks;
import gdrproof.facts.Kube.TcpxPair;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import gdrproof.policy.ResourceNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Facts of a pod template's networks: Multus attachments, GKE multi-networking, the TCPX daemon. */
final class NetworkFacts {
  static final String NETWORKS = "k8s.v1.cni.cncf.io/networks";
  static final String RESOURCE = "k8s.v1.cni.cncf.io/resourceName";
  private static final String GKE = "networking.gke.io/interfaces";
  /** Devices that GKE's runtime plugin hands to one container, whose name follows. */
  private static final String GKE_DEVICES = "devices.gke.io/container.";
  /** Letters of a placeholder that a report shows. */
  private static final int LONGEST = 60;

  /** One wanted attachment, as the annotation says it. */
  record Wanted(String namespace, String network, String netdev) {}

  /** What Multus reports of a running pod: the default network, and each one attached. */
  private static final String STATUS = "k8s.v1.cni.cncf.io/network-status";

  /** Variables that the plugins of GPUDirect-TCPX and -TCPXO alone read. */
  private static final Pattern TCPX_SETTING = Pattern.compile("^NCCL_(FASTRAK|GPUDIRECTTCPX)_");

  private NetworkFacts() {}

  /** The networks of a pod that runs, by the status that Multus writes on it; "" where there is only the default one. */
  static void attached(Manifest manifest, Facts facts) {
    Value status = manifest.root().at("metadata", "annotations", STATUS);
    if (!manifest.kind().equals("Pod") || !status.exists() || manifest.root().at("spec", "hostNetwork").isTrue()) {
      return;
    }
    String networks = attached(status.text());
    if (networks != null) {
      facts.addAtKey(new PodNetworks(manifest.namespace(), manifest.name(), networks), manifest.document(), status);
    }
  }

  /** The networks beside the default one in a status of Multus, joined by commas; null where the text is no whole status. */
  static String attached(String status) {
    List<String> names = new ArrayList<>();
    boolean whole = false;
    for (Document json : Yaml.read("annotation", status)) {
      List<Value> items = json.root().isList() ? json.root().items() : List.of();
      whole |= !items.isEmpty() && json.flaws().isEmpty();
      items.stream().filter(item -> !item.at("default").text().equals("true")).forEach(item -> names.add(item.at("name").text()));
    }
    return whole ? String.join(",", names) : null;
  }

  static void add(Manifest manifest, PodClass pods, FileSet files, Document document, Facts facts) {
    PodTemplate template = pods.view.template;
    String id = template.id();
    Value annotation = template.metadata().at("annotations", NETWORKS);
    List<Wanted> wanted = wanted(annotation.text());
    List<String> names = new ArrayList<>();
    names.add("lo");
    names.add("eth0");
    boolean complete = !template.metadata().at("annotations", "v1.multus-cni.io/default-network").exists() && template.spec().at("resourceClaims").items().isEmpty();
    int index = 0;
    boolean open = openAnnotations(manifest, template, document, facts);
    for (Wanted each : wanted) {
      String netdev = each.netdev().isEmpty() ? "net" + (index + 1) : each.netdev();
      names.add(netdev);
      facts.add(attachment(template, index++, each, netdev), document, annotation);
    }
    if (!Placeholders.inNumber(annotation.text())) {
      balance(pods, wanted, files, annotation, document, facts);
    }
    gke(pods, document, facts, names);
    if (template.spec().at("hostNetwork").isTrue() || open) {
      complete = false;
    }
    facts.addAtKey(new PodInterfaces(id, List.copyOf(names), Tri.of(complete)), document, template.spec());
    tcpx(pods, document, facts);
    misplaced(manifest, template, document, facts);
  }

  /** The annotation on metadata above the pods' own: that of the job, or of a Job that a JobSet, a CronJob or a training runtime makes. */
  private static void misplaced(Manifest manifest, PodTemplate template, Document document, Facts facts) {
    Value holder = template.spec();
    while (holder.exists() && holder != manifest.root()) {
      holder = holder.parent();
      Value metadata = holder.at("metadata");
      Value annotation = metadata.at("annotations", NETWORKS);
      if (annotation.exists() && metadata != template.metadata()) {
        facts.addAtKey(new MisplacedAnnotation(manifest.id(), NETWORKS), document, annotation);
      }
    }
  }

  /** Says which of the annotations that lead to networks and their devices hold a placeholder, in whole or in part; returns whether any does. */
  private static boolean openAnnotations(Manifest manifest, PodTemplate template, Document document, Facts facts) {
    boolean open = false;
    for (Map.Entry<String, Value> each : template.metadata().at("annotations").entries().entrySet()) {
      String key = each.getKey();
      String text = each.getValue().text().strip();
      if ((key.equals(NETWORKS) || key.equals(GKE) || key.startsWith(GKE_DEVICES)) && Placeholders.inNumber(text)) {
        open = true;
        facts.add(new Placeholder(manifest.id(), each.getValue().path(), key, text.length() > LONGEST ? text.substring(0, LONGEST) : text), document, each.getValue());
      }
    }
    return open;
  }

  /** An attachment; a placeholder, and an entry without a name, is one of a network that is not known. */
  private static Attachment attachment(PodTemplate template, int index, Wanted wanted, String netdev) {
    if (wanted.network().isEmpty() || Placeholders.inNumber(wanted.namespace() + wanted.network())) {
      return new Attachment(template.id(), Num.of(index), Fact.UNKNOWN, Fact.UNKNOWN, netdev);
    }
    return new Attachment(template.id(), Num.of(index), wanted.namespace().isEmpty() ? template.namespace() : wanted.namespace(), wanted.network(), netdev);
  }

  /** The comma form `[namespace/]name[@netdev]`, or a JSON list of maps. */
  static List<Wanted> wanted(String text) {
    List<Wanted> found = new ArrayList<>();
    if (text.strip().startsWith("[") || text.strip().startsWith("{")) {
      for (Document json : Yaml.read("annotation", text)) {
        List<Value> items = json.root().isList() ? json.root().items() : List.of(json.root());
        items.forEach(item -> found.add(new Wanted(item.at("namespace").text(), item.at("name").text(), item.at("interface").text())));
      }
      return found;
    }
    for (String each : text.split(",")) {
      String name = each.strip();
      if (!name.isEmpty()) {
        int at = name.indexOf('@');
        String netdev = at < 0 ? "" : name.substring(at + 1);
        name = at < 0 ? name : name.substring(0, at);
        int slash = name.indexOf('/');
        found.add(new Wanted(slash < 0 ? "" : name.substring(0, slash), name.substring(slash + 1), netdev));
      }
    }
    return found;
  }

  /**
   * Attachments against devices, where exactly one device resource is asked for. A network that the files define takes a device of its resource or none. One that they do not
   * may take none (a bond of the others, macvlan, a bridge): of several such families the largest takes devices for certain, all of them at most.
   */
  private static void balance(PodClass pods, List<Wanted> wanted, FileSet files, Value annotation, Document document, Facts facts) {
    Map<String, Double> devices = new HashMap<>();
    for (PodView.Part part : pods.view.parts) {
      for (Ask ask : part.asks()) {
        if (ask.family().equals(ResourceFamily.RDMA_DEVICE)) {
          devices.merge(ask.resource(), ask.amount().known() ? ask.amount().value() : Double.NaN, Double::sum);
        }
      }
    }
    if (wanted.isEmpty() || devices.size() != 1) {
      return;
    }
    Map.Entry<String, Double> only = devices.entrySet().iterator().next();
    String resource = only.getKey().substring(only.getKey().lastIndexOf('/') + 1);
    long known = 0;
    Map<String, Integer> families = new HashMap<>();
    for (Wanted each : wanted) {
      String defined = files.networks.get(each.network());
      if (defined == null) {
        // rail-0 and rail-1 are of one kind.
        families.merge(each.network().replaceAll("\\d+", "#"), 1, Integer::sum);
      } else if (defined.equals(resource)) {
        known++;
      }
    }
    long most = known + families.values().stream().mapToInt(n -> n).sum();
    long least = known + families.values().stream().mapToInt(n -> n).max().orElse(0);
    double count = only.getValue();
    double attached = count < least ? least : count > most ? most : count;
    facts.add(new AttachmentBalance(pods.view.template.id(), only.getKey(), Num.of(attached), Num.of(count)), document, annotation);
  }

  private static void gke(PodClass pods, Document document, Facts facts, List<String> names) {
    Value annotation = pods.view.template.metadata().at("annotations", GKE);
    if (!annotation.exists()) {
      return;
    }
    int rdma = 0;
    boolean read = false;
    for (Document json : Yaml.read("annotation", annotation.text())) {
      for (Value item : json.root().items()) {
        read = true;
        names.add(item.at("interfaceName").text());
        String network = item.at("network").text().toLowerCase(Locale.ROOT);
        rdma += network.startsWith("rdma") || network.contains("-rdma") ? 1 : 0;
      }
    }
    if (read && !Placeholders.inNumber(annotation.text())) {
      facts.add(new GkeInterfaces(pods.view.template.id(), Num.of(rdma), pods.gpus), document, annotation);
    }
  }

  private static void tcpx(PodClass pods, Document document, Facts facts) {
    String daemon = "";
    String plugin = "";
    Value at = Value.MISSING;
    Value setting = Value.MISSING;
    for (PodView.Part part : pods.view.parts) {
      String image = part.container().at("image").text();
      String version = image.contains(":") ? image.substring(image.lastIndexOf(':') + 1) : Fact.UNKNOWN;
      if (image.contains("tcpgpudmarxd") || part.name().equals("tcpxo-daemon") || part.name().equals("tcpx-daemon")) {
        daemon = version;
        at = part.container().at("image");
      } else if (image.contains("nccl-plugin-gpudirecttcpx") && !part.kind().equals("init")) {
        // An init container with this image installs the plugin on the node; no rank runs in it.
        plugin = version;
        at = at.exists() ? at : part.container().at("image");
      } else if (part.kind().equals("main") && !setting.exists()) {
        setting = part.container().at("env").items().stream().map(env -> env.at("name")).filter(name -> TCPX_SETTING.matcher(name.text()).find()).findFirst().orElse(Value.MISSING);
      }
    }
    boolean otherWay = pods.view.families.stream().anyMatch(f -> ResourceNames.fabric(f) && !f.equals(ResourceFamily.GKE_NETWORK));
    if (daemon.isEmpty() && plugin.isEmpty() && setting.exists() && !otherWay) {
      // Settings of the plugin say that it is to be used, unless a device of another fabric stands beside them; its version then comes from the node or the image.
      facts.add(new TcpxPair(pods.view.template.id(), Tri.NO, Fact.UNKNOWN, Fact.UNKNOWN), document, setting);
    }
    if (!daemon.isEmpty() || !plugin.isEmpty()) {
      facts.add(new TcpxPair(pods.view.template.id(), Tri.of(!daemon.isEmpty()), daemon.isEmpty() ? Fact.UNKNOWN : daemon, plugin.isEmpty() ? Fact.UNKNOWN : plugin),
          document, at);
    }
  }
}
