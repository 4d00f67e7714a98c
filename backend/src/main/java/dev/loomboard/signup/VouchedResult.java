package dev.loomboard.signup;

import dev.loomboard.credential.SignUpMode;
import dev.loomboard.kernel.AccountId;

/** What came of making an account for somebody whom a provider vouches for. */
public sealed interface VouchedResult {

    record Made(AccountId account, String id) implements VouchedResult {}

    /** The address has an account already. It is not this person's for that. */
    record Taken() implements VouchedResult {}

    /**
     * Not everybody may have an account here.
     *
     * @param mode who may
     */
    record NotOpen(SignUpMode mode) implements VouchedResult {}

    /** Too many were asked for from there of late. */
    record Throttled() implements VouchedResult {}

    /** The provider named no address that an account can have. */
    record NoAddress() implements VouchedResult {}
}
