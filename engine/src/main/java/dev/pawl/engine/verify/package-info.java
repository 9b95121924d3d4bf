/** Verifiers to mount: what asks a web service, a database or a file whether an effect has happened. */
@NullMarked
package dev.pawl.engine.verify;

import org.jspecify.annotations.NullMarked;
