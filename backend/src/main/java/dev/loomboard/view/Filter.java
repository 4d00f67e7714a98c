package dev.loomboard.view;

import java.util.List;
import java.util.Optional;

/**
 * One filter of a page, as links: every state of it is a URL.
 *
 * @param name its parameter's name for people
 * @param anyHref where it is not set
 */
public record Filter(String name, List<Choice> choices, String anyHref) {

    public record Choice(String text, String href, boolean chosen) {}

    public Filter {
        choices = List.copyOf(choices);
    }

    public Optional<Choice> chosen() {
        return choices.stream().filter(Choice::chosen).findFirst();
    }
}
