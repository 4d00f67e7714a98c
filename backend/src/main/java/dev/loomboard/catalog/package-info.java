/** What can be measured: servers, their variants and the workloads they answer, as machines offer them. */
@NullMarked
package dev.loomboard.catalog;

import org.jspecify.annotations.NullMarked;
