/** People, sessions and tokens: who may call, proven by a cookie or a bearer secret. */
@NullMarked
package dev.loomboard.account;

import org.jspecify.annotations.NullMarked;
