package dev.loomboard.account;

import java.util.List;

/** What came of asking for one's account to be deleted. */
sealed interface DeletionResult {

    record Deleted() implements DeletionResult {}

    record WrongPassword() implements DeletionResult {}

    /** Too many wrong passwords of late. */
    record Throttled() implements DeletionResult {}

    /**
     * Something would be left to nobody.
     *
     * @param reasons a sentence each, with what to do
     */
    record Needed(List<String> reasons) implements DeletionResult {
        public Needed {
            reasons = List.copyOf(reasons);
        }
    }
}
