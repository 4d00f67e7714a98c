package dev.loomboard.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.web.route.Access;
import dev.loomboard.web.route.Route;
import dev.loomboard.web.route.Routes;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What is served is described, what is described is served, and to the same callers. */
final class RoutesContractTest {

    @Test
    void routes_and_descriptions_name_the_same_operations() {
        Set<String> described = new TreeSet<>(Contract.AGENT.operations());
        described.addAll(Contract.SCRIPTS.operations());
        Set<String> served = Routes.ALL.stream()
                .map(Route::toString)
                .filter(route -> route.contains(" /api/"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(served)
                .as("rows of web/route/Routes.java under /api, against api/*.yaml")
                .isEqualTo(described);
    }

    @TestFactory
    Stream<DynamicTest> operation_admits_whom_its_description_names() {
        return Stream.of(Contract.AGENT, Contract.SCRIPTS)
                .flatMap(contract -> contract.operations().stream()
                        .map(operation ->
                                DynamicTest.dynamicTest(operation, () -> admitsTheSame(contract, operation))));
    }

    private static void admitsTheSame(Contract contract, String operation) {
        Route route = Routes.ALL.stream()
                .filter(r -> r.toString().equals(operation))
                .findFirst()
                .orElseThrow(() -> new AssertionError("web/route/Routes.java has no " + operation));
        Set<String> security = contract.security(operation);
        if (security.isEmpty()) {
            assertThat(route.access()).isEqualTo(List.of(Access.ANYONE));
        } else if (security.equals(Set.of("agentKey"))) {
            assertThat(route.access()).isEqualTo(List.of(Access.AGENT));
        } else {
            assertThat(security).isEqualTo(Set.of("apiToken"));
            assertThat(route.access())
                    .hasSize(1)
                    .first()
                    .isInstanceOfSatisfying(
                            Access.TokenWith.class,
                            token -> assertThat(contract.operation(operation)
                                            .path("summary")
                                            .asString())
                                    .as("the scope that %s asks for", operation)
                                    .contains("scope " + token.scope().wire()));
        }
    }
}
