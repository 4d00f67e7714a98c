/** Spring MVC on Tomcat with the workloads of WORKLOADS.md. */
@NullMarked
package dev.loomboard.server.mvc;

import org.jspecify.annotations.NullMarked;
