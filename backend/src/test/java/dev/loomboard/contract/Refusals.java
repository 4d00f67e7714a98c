package dev.loomboard.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.contract.Conversation.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Sends everything that the description does not allow: each must be refused by 422, naming a field at fault. */
final class Refusals {

    private static final int FIELD_REFUSED = 422;

    private Refusals() {}

    /** @param good a request that is allowed, to be spoilt in one place at a time */
    static void check(Contract contract, String operation, JsonNode good, Function<JsonNode, Answer> send) {
        List<String> tolerated = new ArrayList<>();
        int tried = 0;
        for (Mutations.Mutation mutation : Mutations.of(good)) {
            if (contract.requestProblems(operation, mutation.document()).isEmpty()
                    || contract.requestProblems(operation, mutation.without()).isEmpty()) {
                continue; // allowed: what the service makes of it is tested elsewhere
            }
            tried++;
            tolerated.addAll(tolerated(mutation, send));
        }
        for (Mutations.Mutation mutation : Mutations.unstorable(good)) {
            tried++;
            tolerated.addAll(tolerated(mutation, send));
        }
        assertThat(tried).as("documents that %s must refuse", operation).isPositive();
        assertThat(tolerated)
                .as("of %d documents that %s must refuse, those that it does not, or not by name", tried, operation)
                .isEmpty();
    }

    /** What is wrong with the answer; empty: it refuses, and names the field. */
    private static List<String> tolerated(Mutations.Mutation mutation, Function<JsonNode, Answer> send) {
        Answer answer = send.apply(mutation.document());
        if (answer.status() != FIELD_REFUSED) {
            return List.of(mutation.what() + ": answered " + answer.status() + " " + answer.body());
        }
        return names(answer.json(), mutation.place())
                ? List.of()
                : List.of(mutation.what() + ": named " + answer.json().path("errors"));
    }

    /** True when a field is named that is the spoilt one, is within it, or holds it. */
    private static boolean names(JsonNode problem, String place) {
        for (JsonNode error : problem.path("errors")) {
            String field = error.path("field").asString();
            String named = field.equals("(body)")
                    ? ""
                    : "/" + field.replace("[", "/").replace("]", "").replace('.', '/');
            String spoilt = place.replace('.', '/');
            if (named.startsWith(spoilt) || spoilt.startsWith(named)) {
                return true;
            }
        }
        return false;
    }
}
