package gdrproof.collect.log;

import gdrproof.collect.Automaton;
import gdrproof.collect.Sink;
import gdrproof.collect.StreamCollector;
import java.util.List;

/** Lines of NCCL, its plugins and frameworks, by the catalogue in `policies/log-messages.yaml`. */
public final class NcclLog implements StreamCollector {
  private final LogCatalogue catalogue = LogCatalogue.load();
  private final Automaton inner = new Automaton(catalogue.literals());

  @Override
  public String tool() {
    return "NCCL_DEBUG=INFO";
  }

  @Override
  public List<String> literals() {
    return catalogue.literals();
  }

  @Override
  public LineReader open(Source source, Sink sink) {
    return new NcclReader(catalogue, inner, source.firstWord(), source, sink);
  }
}
