package gdrproof.report;

import gdrproof.facts.Meta.Unread;
import gdrproof.finding.Finding;
import gdrproof.finding.Verdict;
import java.io.PrintWriter;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** JUnit XML for build servers: a failed case for each finding that fails the call, a passed one with its text for a milder one, a skipped one for what was not judged or is suppressed, an error for a file that could not be read. */
public final class JunitReport implements FindingWriter {
  private final String command;

  public JunitReport(String command) {
    this.command = command;
  }

  @Override
  public void write(FindingReport report, PrintWriter out) {
    List<Finding> findings = report.findings();
    int idle = report.idle().size() + (report.nothing() ? 1 : 0);
    long failures = findings.stream().filter(report::fails).count();
    long skipped = findings.stream().filter(f -> f.verdict() == Verdict.INCONCLUSIVE || f.verdict() == Verdict.SUPPRESSED).count() + idle;
    try {
      XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out);
      xml.writeStartDocument("UTF-8", "1.0");
      xml.writeCharacters("\n");
      xml.writeStartElement("testsuites");
      xml.writeCharacters("\n  ");
      xml.writeStartElement("testsuite");
      xml.writeAttribute("name", "gdrproof " + command);
      xml.writeAttribute("tests", Integer.toString(Math.max(1, findings.size() + report.unread().size() + idle)));
      xml.writeAttribute("failures", Long.toString(failures));
      xml.writeAttribute("errors", Integer.toString(report.unread().size()));
      xml.writeAttribute("skipped", Long.toString(skipped));
      for (Finding finding : findings) {
        testcase(xml, finding, report.fails(finding));
      }
      for (Unread each : report.unread()) {
        testcase(xml, FindingReport.place(each), "error", "not read: " + each.reason());
      }
      for (Unread each : report.idle()) {
        testcase(xml, FindingReport.place(each), "skipped", "not judged: " + each.reason());
      }
      if (report.nothing()) {
        testcase(xml, "all files", "skipped", "nothing was judged");
      } else if (findings.isEmpty() && report.unread().isEmpty() && idle == 0) {
        // Servers take a suite without cases for a broken run.
        xml.writeCharacters("\n    ");
        xml.writeEmptyElement("testcase");
        xml.writeAttribute("classname", "gdrproof");
        xml.writeAttribute("name", "no findings");
      }
      xml.writeCharacters("\n  ");
      xml.writeEndElement();
      xml.writeCharacters("\n");
      xml.writeEndElement();
      xml.writeCharacters("\n");
      xml.writeEndDocument();
      xml.flush();
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void testcase(XMLStreamWriter xml, String name, String element, String message) throws XMLStreamException {
    xml.writeCharacters("\n    ");
    xml.writeStartElement("testcase");
    xml.writeAttribute("classname", "gdrproof");
    xml.writeAttribute("name", plain(name));
    xml.writeEmptyElement(element);
    xml.writeAttribute("message", plain(message));
    xml.writeEndElement();
  }

  private static void testcase(XMLStreamWriter xml, Finding finding, boolean fails) throws XMLStreamException {
    String place = finding.at().file() + (finding.at().line() > 0 ? ":" + finding.at().line() : "");
    xml.writeCharacters("\n    ");
    xml.writeStartElement("testcase");
    xml.writeAttribute("classname", finding.rule().code() + " " + finding.rule().slug());
    xml.writeAttribute("name", plain(place + (finding.at().path().isEmpty() ? "" : " " + finding.at().path())));
    xml.writeCharacters("\n      ");
    if (fails) {
      xml.writeStartElement("failure");
      xml.writeAttribute("type", finding.severity().toString());
      xml.writeAttribute("message", plain(finding.message()));
      xml.writeCharacters(plain(place) + "\n" + plain(finding.at().excerpt()) + "\n" + plain(finding.rule().remedy()));
      xml.writeEndElement();
    } else if (finding.verdict() == Verdict.VIOLATED) {
      xml.writeStartElement("system-out");
      xml.writeCharacters(plain(finding.severity() + ": " + finding.message()));
      xml.writeEndElement();
    } else {
      xml.writeEmptyElement("skipped");
      xml.writeAttribute("message", plain((finding.verdict() == Verdict.INCONCLUSIVE ? "not judged: " : "suppressed: ") + finding.message()));
    }
    xml.writeCharacters("\n    ");
    xml.writeEndElement();
  }

  /** One line: XML 1.0 has no way to write most control characters, and a report may stand in a build log. Neither can it write halves of a pair. */
  static String plain(String text) {
    return VisibleWriter.line(text).replaceAll("[^\\x09\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]", "\uFFFD");
  }
}
