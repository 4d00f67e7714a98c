package dev.loomboard;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.NullMarked;
import org.reactivestreams.Publisher;

/** The suffix is the licence, packages have no cycles, and nobody waits. */
@AnalyzeClasses(packages = "dev.loomboard", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {

    private static final List<String> LICENSED =
            List.of("Api", "Pages", "Store", "Service", "Job", "Config", "Filter", "Health", "Application", "Sql");

    private static final DescribedPredicate<JavaClass> LICENSED_BY_SUFFIX =
            DescribedPredicate.describe("have (in a class) a licensed suffix", type -> {
                String name = outermost(type).getSimpleName();
                return LICENSED.stream().anyMatch(name::endsWith);
            });

    /** Classes that cannot do without a framework and whose names say better what they are. */
    private static final Set<String> LICENSED_ONE_BY_ONE = Set.of(
            "dev.loomboard.database.ConnectionPools", // gives connections to the framework
            "dev.loomboard.limits.BackgroundWork", // names threads in Reactor's type
            "dev.loomboard.session.Entrance", // reads a request, sets cookies
            "dev.loomboard.kernel.InTurn", // does works one after another
            "dev.loomboard.kernel.Rows", // reads columns for every store
            "dev.loomboard.web.request.CallerArguments", // the framework asks it for arguments of controllers
            "dev.loomboard.web.Cookies", // makes and reads cookies
            "dev.loomboard.web.DataTwins", // makes answers of records
            "dev.loomboard.web.request.ErrorAnswers", // the framework hands it every error
            "dev.loomboard.web.ExchangeAttributes", // notes on the framework's exchange
            "dev.loomboard.web.FrontEnd", // finds its files in the program
            "dev.loomboard.web.request.CompressedFiles", // the framework hands it files
            "dev.loomboard.web.FormState", // reads a form as the framework parsed it
            "dev.loomboard.web.FormToken", // reads and sets a cookie
            "dev.loomboard.web.route.Nav", // finds out which links have a controller
            "dev.loomboard.web.PageCache", // stores answers
            "dev.loomboard.web.PageRenderer", // makes answers of templates
            "dev.loomboard.web.Gzip", // reads and sets the headers of an encoding
            "dev.loomboard.operation.PortFailureAnalyzer", // the framework asks it what a failed start means
            "dev.loomboard.web.PiecewiseAnswer", // writes to the framework's response
            "dev.loomboard.web.request.Problems", // says what the framework's exceptions mean
            "dev.loomboard.web.PublicUrl", // reads the address from a request
            "dev.loomboard.web.request.RequestId", // hands a name on in Reactor's context
            "dev.loomboard.web.route.Route", // names HTTP methods in the framework's type
            "dev.loomboard.web.route.Routes", // likewise
            "dev.loomboard.web.request.StyleSheet", // the framework hands it files
            "dev.loomboard.operation.StartupFailureAnalyzer"); // as the other analyzer

    private static final DescribedPredicate<JavaClass> LICENSED_BY_NAME = DescribedPredicate.describe(
            "are licensed by name",
            type -> LICENSED_ONE_BY_ONE.contains(outermost(type).getName()));

    @ArchTest
    static final ArchRule only_licensed_classes_use_frameworks = noClasses()
            .that(DescribedPredicate.not(LICENSED_BY_SUFFIX))
            .and(DescribedPredicate.not(LICENSED_BY_NAME))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.springframework..", "reactor..", "org.reactivestreams..", "io.r2dbc..", "org.quartz..")
            .because("what decides is plain Java and tested as such; see backend/README.md, Change");

    @ArchTest
    static final ArchRule only_the_commands_parse_options = noClasses()
            .that()
            .resideOutsideOfPackage("dev.loomboard.cli")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli..");

    @ArchTest
    static final ArchRule formulas_read_no_files_and_print_nothing = noClasses()
            .that()
            .resideInAPackage("dev.loomboard.stats..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.io", "java.nio.file..")
            .because("a formula is given numbers and gives numbers");

    @ArchTest
    static final ArchRule packages_have_no_cycles =
            slices().matching("dev.loomboard.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule the_web_package_is_the_base = noClasses()
            .that()
            .resideInAPackage("dev.loomboard.web..")
            .should()
            .dependOnClassesThat(DescribedPredicate.describe(
                    "belong to a feature",
                    type -> type.getPackageName().startsWith("dev.loomboard.")
                            && !type.getPackageName().startsWith("dev.loomboard.web")
                            && !type.getPackageName().startsWith("dev.loomboard.kernel")));

    @ArchTest
    static final ArchRule limits_know_no_feature = noClasses()
            .that()
            .resideInAPackage("dev.loomboard.limits..")
            .should()
            .dependOnClassesThat(DescribedPredicate.describe(
                    "belong to a feature",
                    type -> type.getPackageName().startsWith("dev.loomboard.")
                            && !type.getPackageName().startsWith("dev.loomboard.web")
                            && !type.getPackageName().startsWith("dev.loomboard.limits")
                            && !type.getPackageName().equals("dev.loomboard.kernel")));

    @ArchTest
    static final ArchRule kernel_depends_on_nothing_of_ours = noClasses()
            .that()
            .resideInAPackage("dev.loomboard.kernel")
            .should()
            .dependOnClassesThat(DescribedPredicate.describe(
                    "are ours",
                    type -> type.getPackageName().startsWith("dev.loomboard")
                            && !type.getPackageName().equals("dev.loomboard.kernel")));

    @ArchTest
    static final ArchRule nobody_waits = noClasses()
            .that()
            .haveSimpleNameNotEndingWith("Job")
            .and()
            .doNotHaveFullyQualifiedName("dev.loomboard.setup.FirstStartConfig")
            .and()
            .doNotHaveFullyQualifiedName("dev.loomboard.matrix.PresetConfig") // also waits once, at start
            .and()
            .doNotHaveFullyQualifiedName(
                    "dev.loomboard.recompute.RollupCheckApplication") // a program that serves nobody
            .and()
            .doNotHaveFullyQualifiedName("dev.loomboard.generate.FillApplication") // likewise
            .and()
            .doNotHaveFullyQualifiedName("dev.loomboard.signing.RotateKeyApplication") // likewise
            .and()
            .doNotHaveFullyQualifiedName("dev.loomboard.recovery.AccountRecoveryApplication") // likewise
            .and()
            .doNotHaveFullyQualifiedName("dev.loomboard.run.RunEventService") // subscribes once, for all listeners
            .and()
            .doNotHaveFullyQualifiedName("dev.loomboard.database.ListeningService") // likewise
            .and()
            .doNotHaveFullyQualifiedName("dev.loomboard.recompute.MethodologyUpgradeConfig") // once, at start
            .and()
            .doNotHaveFullyQualifiedName("dev.loomboard.runimport.ShippedResultsConfig") // likewise
            .should()
            .callMethodWhere(DescribedPredicate.describe(
                    "block or subscribe",
                    call -> call.getTargetOwner().getPackageName().startsWith("reactor.core.publisher")
                            && (call.getName().startsWith("block")
                                    || call.getName().equals("subscribe")
                                    || call.getName().equals("toStream")
                                    || call.getName().equals("toIterable"))))
            .because("one waiting thread of two stops half the service");

    @ArchTest
    static final ArchRule streams_are_not_kept = fields().that()
            .areDeclaredInClassesThat()
            .resideInAPackage("dev.loomboard..")
            .should()
            .notHaveRawType(DescribedPredicate.describe("a stream", type -> type.isAssignableTo(Publisher.class)))
            .because("Mono and Flux are ways to answer, not data");

    @ArchTest
    static final ArchRule no_field_injection =
            fields().should().notBeAnnotatedWith("org.springframework.beans.factory.annotation.Autowired");

    @ArchTest
    static final ArchRule no_empty_names = classes()
            .that()
            .resideInAPackage("dev.loomboard..")
            .and()
            .areTopLevelClasses()
            .should()
            .haveSimpleNameNotEndingWith("Impl")
            .andShould()
            .haveSimpleNameNotEndingWith("Util")
            .andShould()
            .haveSimpleNameNotEndingWith("Utils")
            .andShould()
            .haveSimpleNameNotEndingWith("Manager")
            .andShould()
            .haveSimpleNameNotEndingWith("Helper");

    @ArchTest
    static void every_package_is_null_marked(JavaClasses all) {
        List<String> unmarked = all.getPackage("dev.loomboard").getSubpackagesInTree().stream()
                .filter(p -> !p.getClasses().isEmpty())
                .filter(p -> !p.isAnnotatedWith(NullMarked.class))
                .map(JavaPackage::getName)
                .toList();
        assertThat(unmarked)
                .as("packages without @NullMarked in package-info.java")
                .isEmpty();
    }

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(ArchitectureTest::outermost).orElse(type);
    }
}
