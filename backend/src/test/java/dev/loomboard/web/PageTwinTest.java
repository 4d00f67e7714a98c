package dev.loomboard.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseBody;

/** What the JSON of pages shows: nothing gets into it, or out of it, that its list does not name. */
final class PageTwinTest {

    private static final Path LIST = Path.of("src/test/resources/page-twins.txt");
    private static final Path MADE = Path.of("target/page-twins.txt");

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.loomboard");

    @Test
    void json_of_pages_has_the_properties_that_are_listed() throws IOException {
        PropertyNames names = new PropertyNames(StrictJson.mapper()._serializationContext());
        twins().forEach(names::add);
        Files.write(MADE, names.lines());
        assertThat(names.lines())
                .as(
                        "properties of the JSON of pages, which everybody may read who may read the page. If a change of them"
                                + " is meant, copy %s to %s",
                        MADE, LIST)
                .containsExactlyElementsOf(Files.readAllLines(LIST));
    }

    @Test
    void each_json_of_a_page_is_a_twin() {
        List<JavaMethod> answers = MAIN.stream()
                .flatMap(type -> type.getMethods().stream())
                .filter(method ->
                        method.isAnnotatedWith(ResponseBody.class) && method.isAnnotatedWith(GetMapping.class))
                .filter(method -> path(method).endsWith(".json"))
                .toList();
        assertThat(answers).isNotEmpty().allSatisfy(answer -> {
            ParameterizedType mono = (ParameterizedType) answer.reflect().getGenericReturnType();
            Type body = mono.getActualTypeArguments()[0];
            assertThat(PageTwin.class).isAssignableFrom((Class<?>) body);
        });
    }

    private static String path(JavaMethod method) {
        GetMapping mapping = method.getAnnotationOfType(GetMapping.class);
        return Stream.concat(Stream.of(mapping.value()), Stream.of(mapping.path()))
                .findFirst()
                .orElse("");
    }

    private static List<Class<?>> twins() {
        return MAIN.stream()
                .filter(type -> type.isAssignableTo(PageTwin.class) && !type.isInterface())
                .<Class<?>>map(JavaClass::reflect)
                .toList();
    }
}
