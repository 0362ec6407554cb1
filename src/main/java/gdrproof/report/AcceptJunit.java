package gdrproof.report;

import gdrproof.finding.Acceptance;
import gdrproof.finding.Acceptance.Item;
import gdrproof.finding.Conclusion.ItemVerdict;
import java.io.PrintWriter;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** JUnit XML of an acceptance: a case for each item; failed and (if required) unproven ones fail, not applicable ones are skipped. */
public final class AcceptJunit {
  private AcceptJunit() {}

  public static void write(Acceptance a, PrintWriter out) {
    long failures = a.items().stream().filter(AcceptJunit::fails).count();
    long skipped = a.items().stream().filter(i -> !fails(i) && i.verdict() != ItemVerdict.PROVEN).count();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out);
      xml.writeStartDocument("UTF-8", "1.0");
      xml.writeCharacters("\n");
      xml.writeStartElement("testsuites");
      xml.writeCharacters("\n  ");
      xml.writeStartElement("testsuite");
      xml.writeAttribute("name", "gdrproof accept");
      xml.writeAttribute("tests", Integer.toString(a.items().size()));
      xml.writeAttribute("failures", Long.toString(failures));
      xml.writeAttribute("errors", "0");
      xml.writeAttribute("skipped", Long.toString(skipped));
      for (Item item : a.items()) {
        xml.writeCharacters("\n    ");
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", "accept." + item.section());
        xml.writeAttribute("name", item.id() + ": " + item.title());
        if (fails(item)) {
          xml.writeStartElement("failure");
          xml.writeAttribute("type", item.verdictText());
          xml.writeAttribute("message", JunitReport.plain(item.message()));
          item.asks().forEach(ask -> ask.command().lines().forEach(line -> text(xml, line)));
          xml.writeEndElement();
        } else if (item.verdict() != ItemVerdict.PROVEN) {
          xml.writeEmptyElement("skipped");
          xml.writeAttribute("message", JunitReport.plain(item.verdictText() + ": " + item.why()));
        }
        xml.writeEndElement();
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

  private static boolean fails(Item item) {
    return item.verdict() == ItemVerdict.FAILED || item.required() && item.verdict() == ItemVerdict.NOT_PROVEN;
  }

  private static void text(XMLStreamWriter xml, String text) {
    try {
      xml.writeCharacters(JunitReport.plain(text) + "\n");
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
  }
}
