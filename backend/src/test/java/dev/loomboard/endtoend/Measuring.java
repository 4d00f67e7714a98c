package dev.loomboard.endtoend;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Of tests with an agent that measures: never two of them at once, and after all other tests, so that they have the machine. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ResourceLock(Measuring.MACHINE)
@Order(Integer.MAX_VALUE)
@interface Measuring {

    String MACHINE = "the machine";
}
