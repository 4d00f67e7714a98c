package dev.loomboard.kit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Of tests that use what the JVM has one of: the shared service, the log, which every start of Spring sets up again. They run one
 * after another. Classes without it run beside them and beside each other, the methods of each in turn.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Execution(ExecutionMode.SAME_THREAD)
public @interface OneAtATime {}
