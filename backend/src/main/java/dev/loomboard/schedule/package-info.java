/** Schedules: matrices that run by themselves, each firing once however many replicas there are. */
@NullMarked
package dev.loomboard.schedule;

import org.jspecify.annotations.NullMarked;
