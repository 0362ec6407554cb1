package gdrproof;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The direction of flow of design section 2: which package may see which. */
class ArchitectureTest {
  private static final JavaClasses CLASSES = new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
      .withImportOption(location -> !location.contains("/gdrproof/rules/")).importPackages("gdrproof");

  private static final Map<String, List<String>> SEES = new LinkedHashMap<>();

  static {
    SEES.put("facts", List.of());
    SEES.put("policy", List.of("facts"));
    SEES.put("bundle", List.of("facts", "policy"));
    SEES.put("anonymize", List.of("facts", "policy", "bundle"));
    SEES.put("collect", List.of("facts", "policy", "bundle"));
    SEES.put("finding", List.of("facts", "policy"));
    SEES.put("engine", List.of("facts", "policy", "finding"));
    SEES.put("report", List.of("facts", "policy", "finding"));
    SEES.put("probe", List.of("facts", "policy", "bundle", "finding"));
    SEES.put("accept", List.of("facts", "policy"));
    SEES.put("review", List.of("facts", "policy", "bundle", "collect", "finding"));
  }

  @Test
  void packagesSeeOnlyWhatLiesBelow() {
    SEES.forEach((name, below) -> {
      String[] allowed = Stream.concat(Stream.of(name), below.stream()).map(p -> "gdrproof." + p + "..").toArray(String[]::new);
      classes().that().resideInAPackage("gdrproof." + name + "..").should().onlyDependOnClassesThat(not(resideInAPackage("gdrproof..")).or(resideInAnyPackage(allowed)))
          .because("design section 2: " + name + " sees " + below).allowEmptyShould(true).check(CLASSES);
    });
  }

  @Test
  void theVocabularyNeedsNothingButJava() {
    classes().that().resideInAPackage("gdrproof.facts..").should().onlyDependOnClassesThat().resideInAnyPackage("java..", "gdrproof.facts..", "org.jspecify..").check(CLASSES);
  }

  @Test
  void onlyTheCommandLineEndsTheProcessAndPrints() {
    noClasses().that().resideOutsideOfPackages("gdrproof.cli..").and().doNotHaveFullyQualifiedName("gdrproof.engine.RuleCompiler").should().callMethod(System.class, "exit", int.class)
        .orShould().accessField(System.class, "out").check(CLASSES);
  }

  @Test
  void theClusterClientStaysOffShortCommands() {
    noClasses().that().resideOutsideOfPackages("gdrproof.probe..").should().dependOnClassesThat().resideInAPackage("io.fabric8..").allowEmptyShould(true).check(CLASSES);
  }

  @Test
  void noFactHasAComponentThatShadowsAnother() {
    // A component called getX hides component x in the rules, silently (docs/adr).
    CLASSES.stream().filter(c -> c.getPackageName().equals("gdrproof.facts") && c.isRecord()).forEach(c -> c.getFields().forEach(f -> {
      if (f.getName().matches("(?:get|is)[A-Z].*")) {
        throw new AssertionError(c.getName() + "." + f.getName());
      }
    }));
  }
}
