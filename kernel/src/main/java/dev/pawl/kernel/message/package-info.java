/** What moves a workflow: messages, the responses they carry, and how they are delivered. */
@NullMarked
package dev.pawl.kernel.message;

import org.jspecify.annotations.NullMarked;
