package dev.loomboard.backup;

/** A backup cannot be made or restored, for a reason that the operator can mend. */
final class BackupRefusal extends RuntimeException {

    BackupRefusal(String why) {
        super(why);
    }
}
