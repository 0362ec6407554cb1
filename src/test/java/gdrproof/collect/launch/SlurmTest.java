package gdrproof.collect.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class SlurmTest {

  @Test
  void hostListsKeepTheirPadding() {
    assertEquals(List.of("a008", "a009", "a010", "b1-x", "c"), Slurm.hosts("a[008-010],b[1]-x,c"));
    assertEquals(List.of(), Slurm.hosts("a[1-"));
    assertEquals(List.of(), Slurm.hosts("a[3-1]"));
    assertEquals(List.of(), Slurm.hosts("unknown"));
  }

  @Test
  void severalGroupsOfNumbersCountLikeAnOdometer() {
    assertEquals(List.of("r01n08", "r01n09", "r02n08", "r02n09"), Slurm.hosts("r[01-02]n[08-09]"));
    assertEquals(List.of("x1c0n1", "x1c0n2", "x1c1n1", "x1c1n2", "x2c0n1", "x2c0n2", "x2c1n1", "x2c1n2"), Slurm.hosts("x[1-2]c[0-1]n[1,2]"));
    assertEquals(List.of("r1-a", "r2-a", "s1", "s3"), Slurm.hosts("r[1-2]-a,s[1,3]"));
    assertEquals(List.of(), Slurm.hosts("r[1-2]n[1-"));
    assertEquals(List.of(), Slurm.hosts("r[1-400000]"));
    assertEquals(List.of(), Slurm.hosts("a" + "[1]".repeat(5000)));
    assertEquals(9408, Slurm.hosts("frontier[00001-09408]").size());
  }
}
