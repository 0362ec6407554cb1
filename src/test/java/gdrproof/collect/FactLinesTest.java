package gdrproof.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class FactLinesTest {
  private static final Evidence SOURCE = new Evidence("n1/a.log", 3, 5, 2, "spec.x[0]", "a \"b\"\n\\c\t", "n1", "ibstat", "12:00");

  @TestFactory
  List<DynamicTest> everyFactReadsBack() {
    List<DynamicTest> tests = new ArrayList<>();
    visit(Fact.class, tests);
    return tests;
  }

  private static void visit(Class<?> type, List<DynamicTest> tests) {
    if (type.isRecord()) {
      for (Num number : List.of(Num.of(2.5), Num.UNKNOWN, Num.of(Double.POSITIVE_INFINITY), Num.of(9007199254740991.0))) {
        tests.add(DynamicTest.dynamicTest(type.getSimpleName() + " " + number, () -> {
          Fact fact = (Fact) make(type, number);
          Ledger ledger = new Ledger();
          String line = FactLines.line(fact, List.of(SOURCE));
          FactLines.read(line, ledger);
          assertEquals(List.of(fact), ledger.facts(), line);
          assertEquals(Set.of(SOURCE), Set.copyOf(ledger.of(fact)));
        }));
      }
    } else if (type.getPermittedSubclasses() != null) {
      for (Class<?> each : type.getPermittedSubclasses()) {
        visit(each, tests);
      }
    }
  }

  private static Object make(Class<?> type, Num number) throws ReflectiveOperationException {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      values[i] = value(types[i], number);
    }
    var constructor = type.getDeclaredConstructor(types);
    return constructor.newInstance(values);
  }

  private static Object value(Class<?> type, Num number) throws ReflectiveOperationException {
    if (type == String.class) {
      return "te\"xt\u2028\u0001";
    } else if (type == Num.class) {
      return number;
    } else if (type == Tri.class) {
      return Tri.NO;
    } else if (type == boolean.class) {
      return true;
    } else if (type == int.class) {
      return 7;
    } else if (type == long.class) {
      return 7L;
    } else if (type == double.class) {
      return 1.5;
    } else if (type.isEnum()) {
      return type.getEnumConstants()[0];
    } else if (type == List.class) {
      return List.of("a", "b");
    } else if (type == Set.class) {
      return Set.of("a");
    } else if (type == Map.class) {
      return Map.of("k", "v");
    } else if (type.isRecord()) {
      return make(type, number);
    }
    throw new AssertionError("no sample of " + type + ": FactLines must learn it too");
  }

  @Test
  void whatIsNotUnderstoodIsSaid() {
    Ledger ledger = new Ledger();
    assertThrows(IOException.class, () -> FactLines.read("{\"v\":2,\"type\":\"Module\",\"fact\":{}}", ledger));
    assertThrows(IOException.class, () -> FactLines.read("{\"v\":1,\"type\":\"Nothing\",\"fact\":{}}", ledger));
    assertThrows(IOException.class, () -> FactLines.read("{\"v\":1,\"type\":\"Module\",\"fact\":{\"node\":\"n1\"}}", ledger));
    assertThrows(IOException.class, () -> FactLines.read("{\"v\":1,", ledger));
    byte[] bytes = "{\"v\":1,\"type\":\"GpuCount\",\"fact\":{\"node\":\"n1\",\"gpus\":8},\"evidence\":[{\"file\":\"x\",\"line\":1}]}\n{\"v\":9,\"type\":\"X\",\"fact\":{}}\n".getBytes(StandardCharsets.UTF_8);
    Ledger read = Collectors.read(List.of(new Entry("facts.jsonl", bytes.length, () -> new ByteArrayInputStream(bytes))));
    assertTrue(read.facts().stream().anyMatch(f -> f.toString().contains("gpus=8")));
    assertEquals(2, read.all(Unread.class).get(0).line());
  }
}
