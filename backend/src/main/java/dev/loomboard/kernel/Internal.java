package dev.loomboard.kernel;

import com.fasterxml.jackson.annotation.JsonIgnoreType;

/**
 * What never leaves the service, such as the key of a row. JSON leaves out every component whose type this is; so a record of
 * a public answer keeps what else its page needs in a record of this type.
 */
@JsonIgnoreType
public interface Internal {}
