package dev.loomboard.membership;

/** What came of a change of a workspace's members. */
public enum MemberResult {
    DONE,
    /** There is no such member. */
    UNKNOWN,
    /** Nobody would be an owner any more. */
    LAST_OWNER
}
