package dev.pawl.lab.torture;

import java.util.Locale;

/** The real stores. */
enum StoreKind {
    SQLITE, POSTGRES;

    /** As it stands in results. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
