package gdrproof.report.html;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import nu.validator.validation.SimpleDocumentValidator;
import org.w3c.dom.Document;
import org.xml.sax.ErrorHandler;
import org.xml.sax.InputSource;
import org.xml.sax.SAXParseException;

/** What every HTML report must hold to: valid for the W3C's checker, well-formed XML, and free of requests and scripts. */
public final class HtmlChecks {
  private static final Pattern LOADING = Pattern.compile("(?i)<(?:script|link|img|iframe|object|embed|image|use|audio|video|source|base|form)\\b|\\son\\w+\\s*=|url\\(|@import|javascript:");
  private static final Pattern REFERENCE = Pattern.compile("(?:href|src)=\"(?<target>[^\"]*)\"");

  private HtmlChecks() {}

  /** Complaints of the checker, errors and warnings; empty for a valid page. */
  public static List<String> complaints(String page) throws Exception {
    List<String> complaints = new ArrayList<>();
    ErrorHandler handler = new ErrorHandler() {
      @Override
      public void warning(SAXParseException e) {
        complaints.add("warning, line " + e.getLineNumber() + ": " + e.getMessage());
      }

      @Override
      public void error(SAXParseException e) {
        complaints.add("error, line " + e.getLineNumber() + ": " + e.getMessage());
      }

      @Override
      public void fatalError(SAXParseException e) {
        error(e);
      }
    };
    SimpleDocumentValidator validator = new SimpleDocumentValidator();
    validator.setUpMainSchema("http://s.validator.nu/html5-all.rnc", handler);
    validator.setUpValidatorAndParsers(handler, true, false);
    InputSource source = new InputSource(new ByteArrayInputStream(page.getBytes(StandardCharsets.UTF_8)));
    source.setEncoding("UTF-8");
    validator.checkHtmlInputSource(source);
    return complaints;
  }

  /** The page as XML; throws where it is not well-formed. */
  public static Document xml(String page) throws Exception {
    DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    builder.setErrorHandler(null);
    return builder.parse(new InputSource(new StringReader(page)));
  }

  /** Markup that would load or run something, and references that leave the page. */
  public static List<String> requests(String page) {
    String body = page.replaceAll("(?s)<code>.*?</code>", "");
    List<String> found = new ArrayList<>();
    Matcher loading = LOADING.matcher(body);
    while (loading.find()) {
      found.add(loading.group());
    }
    Matcher reference = REFERENCE.matcher(page);
    while (reference.find()) {
      if (!reference.group("target").startsWith("#")) {
        found.add(reference.group());
      }
    }
    return found;
  }
}
