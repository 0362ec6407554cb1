package gdrproof.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class VisibleWriterTest {
  @Test
  void whatActsIsWrittenOut() {
    assertEquals("eth0\\n::error::x \\u001b[2J\\u007f\\u009b \\u2028\\u2029 \\u202e\\u2066 \\r\ttab é … 😀", VisibleWriter.line("eth0\n::error::x \u001b[2J\u007f\u009b \u2028\u2029 \u202e\u2066 \r\ttab é … 😀"));
    assertEquals("a\n  b\\u0007\n", VisibleWriter.text("a\n  b\u0007\n"));
  }

  /** Forms that GitHub's runner and Azure Pipelines read as commands; an address is none. */
  @Test
  void noLineIsACommandOfABuildServer() {
    assertEquals("\\u003a:error file=a::x", VisibleWriter.line("::error file=a::x"));
    assertEquals("a\n \u00a0\\u003a:stop-commands::x\nb", VisibleWriter.text("a\n \u00a0::stop-commands::x\nb"));
    assertEquals("a #\\u0023[error]x #\\u0023vso[task.setvariable]", VisibleWriter.line("a ##[error]x ##vso[task.setvariable]"));
    assertEquals("## title ::1 and a::b::c", VisibleWriter.line("## title ::1 and a::b::c"));
    assertEquals("::ffff:10.0.0.1", VisibleWriter.line("::ffff:10.0.0.1"));
  }

  @Test
  void linesAreEscapedAndFinishedTextIsNot() {
    StringWriter text = new StringWriter();
    PrintWriter out = new VisibleWriter(new PrintWriter(text), false);
    out.println("a\nb");
    out.println(new StringBuilder("c\u001b"));
    out.printf("%s %d%n", "d\ne", 1);
    out.print("f\ng\n");
    out.flush();
    assertEquals("a\\nb\nc\\u001b\nd\\ne 1\nf\ng\n", text.toString());
  }
}
