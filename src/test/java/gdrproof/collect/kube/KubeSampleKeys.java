package gdrproof.collect.kube;

import gdrproof.collect.SampleKeys;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.ReadyState;
import gdrproof.facts.Host.HostMessage;
import gdrproof.facts.Kube.NodeCapacity;
import gdrproof.facts.Kube.NodeOffer;
import gdrproof.facts.Kube.PodStatus;
import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import gdrproof.facts.Operator.HelmRelease;
import gdrproof.facts.Operator.OperatorField;
import gdrproof.facts.Operator.PolicyState;
import java.util.List;
import java.util.stream.Collectors;

/** Keys of the samples of kubectl and helm. */
public final class KubeSampleKeys extends SampleKeys {
  @Override
  protected void translate(String tool, Ledger ledger) {
    List<NodeOffer> offers = ledger.all(NodeOffer.class);
    offers.forEach(o -> put("allocatable(" + o.resource() + ")", o.allocatable()));
    ledger.all(NodeCapacity.class).forEach(c -> put("capacity(" + c.resource() + ")", c.capacity()));
    if (!offers.isEmpty() && offers.stream().noneMatch(o -> o.resource().startsWith("rdma/"))) {
      put("allocatable(rdma/*)", "absent");
    }
    for (PolicyState state : ledger.all(PolicyState.class)) {
      put("state", state.state());
      put("statesNotReady", state.notReady().stream().map(s -> s.replaceFirst(" .*", "")).collect(Collectors.joining(",")));
    }
    ledger.all(ReadyState.class).forEach(r -> put("state", r.state()));
    ledger.all(HostMessage.class).stream().filter(m -> m.id().equals("policy-not-ready")).forEach(m -> put("state", "notReady"));
    List<PodStatus> pods = ledger.all(PodStatus.class);
    put("pods", pods.size());
    put("podsNotReady", pods.stream().filter(p -> p.ready().is(0)).count());
    put("restarts", pods.stream().map(PodStatus::restarts).filter(Num::known).max(Num::compareTo).orElse(Num.UNKNOWN));
    put("hostList", pods.stream().filter(p -> p.ready().is(0)).map(PodStatus::placedOn).filter(n -> !n.equals(Fact.UNKNOWN)).distinct().sorted().collect(Collectors.joining(",")));
    ledger.all(HelmRelease.class).forEach(r -> {
      put("release", r.name());
      known("chart", r.chart());
      known("status", r.status());
    });
    List<OperatorField> fields = ledger.all(OperatorField.class).stream().filter(f -> f.kind().equals("HelmValues")).toList();
    fields.forEach(f -> put("value(" + f.path() + ")", f.value()));
    if (tool.equals("helm") && fields.isEmpty()) {
      put("values", "none");
    }
  }
}
