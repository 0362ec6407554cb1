package gdrproof.finding.record;

import gdrproof.finding.Acceptance;
import gdrproof.finding.Acceptance.Item;
import gdrproof.finding.reading.Reading;
import java.util.List;
import java.util.Map;

/**
 * What one team hands to the next about a configuration: the state as it was judged, what changed since the last time, and under which conditions it does not hold
 * any more.
 *
 * @param date day (ISO) that it was judged
 * @param previous name of the record it is compared with, "" for the first
 * @param changes in the order of their names
 * @param state every statement that a later record is compared by, by its name
 * @param rollback conditions under which the change is taken back; escalate those under which somebody else is called
 * @param inventory rows of node, thing, value
 * @param cables port map: node, port, far end, far port; empty when the bundle does not give it
 * @param versions rows of component, version, nodes
 * @param commands rows of command, host, file
 * @param owners items by the layer that answers for them
 */
public record Handover(String date, Acceptance acceptance, String previous, List<Change> changes, Map<String, String> state, List<Condition> rollback, List<Condition> escalate,
    List<List<String>> inventory, List<List<String>> cables, List<List<String>> versions, List<List<String>> commands, Map<String, List<Item>> owners, List<Reading> readings) {
  /** A statement that differs; "absent" where one side lacks it. */
  public record Change(String what, String before, String after) {}

  /** Something that must be acted on, and the reading that shows it. */
  public record Condition(String when, String reading) {}
}
