package dev.loomboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import dev.loomboard.kit.OneAtATime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/** Classes of tests run beside each other, but not those that would meet. */
@AnalyzeClasses(packages = "dev.loomboard", importOptions = ImportOption.OnlyIncludeTests.class)
final class TestOrderTest {

    private static final String SERVICE = "dev.loomboard.kit.Service";
    private static final String LOG = "ch.qos.logback";

    @ArchTest
    static void tests_that_use_the_service_in_this_jvm_or_the_log_run_one_at_a_time(JavaClasses tests) {
        assertThat(users(tests))
                .filteredOn(user -> user.getSimpleName().endsWith("Test"))
                .hasSizeGreaterThan(50)
                .allSatisfy(user -> assertThat(
                                user.reflect().isAnnotationPresent(OneAtATime.class)) // also by its base class
                        .as("%s is marked", user.getName())
                        .isTrue());
    }

    /** Also by way of others. */
    private static Set<JavaClass> users(JavaClasses tests) {
        Deque<JavaClass> found = new ArrayDeque<>();
        tests.stream().filter(TestOrderTest::names).forEach(found::push);
        Set<JavaClass> users = new HashSet<>();
        while (!found.isEmpty()) {
            JavaClass user = found.pop();
            if (users.add(user)) {
                user.getDirectDependenciesToSelf().stream()
                        .map(Dependency::getOriginClass)
                        .forEach(found::push);
            }
        }
        return users;
    }

    private static boolean names(JavaClass type) {
        return type.getDirectDependenciesFromSelf().stream()
                .map(Dependency::getTargetClass)
                .anyMatch(used ->
                        used.getName().equals(SERVICE) || used.getPackageName().startsWith(LOG));
    }
}
