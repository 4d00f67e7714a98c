package dev.loomboard.webhook;

import dev.loomboard.kernel.WireName;

/** How what is sent is written. */
public enum BodyForm implements WireName {
    JSON("JSON, as documented"),
    SLACK("one text, for Slack and what is like it"),
    GITHUB_ISSUE("title and Markdown of an issue, for what opens issues");

    private final String words;

    BodyForm(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }
}
