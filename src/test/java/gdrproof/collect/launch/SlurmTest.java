package gdrproof.collect.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class SlurmTest {

  @Test
  void hostListsKeepTheirPadding() {
    assertEquals(List.of("a008", "a009", "a010", "b1-x", "c"), Slurm.hosts("a[008-010],b[1]-x,c"));
    assertEquals(List.of(), Slurm.hosts("a[1-"));
  }
}
