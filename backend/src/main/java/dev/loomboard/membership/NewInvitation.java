package dev.loomboard.membership;

import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.WireName;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Problem.FieldError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An invitation as its maker asks for it.
 *
 * @param uses how many people may accept it
 */
public record NewInvitation(Role role, Duration life, int uses) {

    public static final List<Integer> DAYS = List.of(1, 7, 30);
    public static final int MOST_USES = 100;
    private static final int USUAL_DAYS = 7;

    /** @param invitation null: the form is refused */
    public record Typed(FormState form, @Nullable NewInvitation invitation) {}

    public static FormState blank() {
        return FormState.with(
                Map.of("role", Role.MEMBER.wire(), "days", Integer.toString(USUAL_DAYS), "uses", Integer.toString(1)));
    }

    public static Typed of(FormState form) {
        List<FieldError> problems = new ArrayList<>();
        Optional<Role> role = WireName.find(Role.class, form.value("role"));
        if (role.isEmpty()) {
            problems.add(new FieldError("role", "must be one of owner, member, viewer"));
        }
        Optional<Integer> days = DAYS.stream()
                .filter(choice -> choice.toString().equals(form.value("days")))
                .findFirst();
        if (days.isEmpty()) {
            problems.add(new FieldError("days", "must be one of 1, 7, 30"));
        }
        int uses = uses(form.value("uses").strip());
        if (uses < 1 || uses > MOST_USES) {
            problems.add(new FieldError("uses", "must be a number from 1 to " + MOST_USES));
        }
        return problems.isEmpty()
                ? new Typed(form, new NewInvitation(role.orElseThrow(), Duration.ofDays(days.orElseThrow()), uses))
                : new Typed(form.refused(problems), null);
    }

    /** 0: it is no number, or too long to be one of those allowed. */
    private static int uses(String typed) {
        return typed.matches("[0-9]{1,3}") ? Integer.parseInt(typed) : 0;
    }
}
