package dev.pawl.engine.shard;

import dev.pawl.engine.Definition;
import dev.pawl.engine.PawlException;
import dev.pawl.kernel.collation.Behaviour;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The definitions an engine has the code of, by name and version. */
public final class Definitions {

    private final Map<String, Map<String, Definition>> versionsByName = new HashMap<>();

    public Definitions(List<Definition> definitions) {
        for (Definition definition : definitions) {
            Map<String, Definition> versions =
                    versionsByName.computeIfAbsent(definition.name(), none -> new HashMap<>());
            if (versions.put(definition.version(), definition) != null) {
                throw new IllegalArgumentException("definition " + definition.name() + " version "
                        + definition.version() + " is registered twice");
            }
        }
    }

    public Definition find(String name, String version) {
        Definition definition = known(name, version);
        if (definition == null) {
            throw new Unknown(name, version);
        }
        return definition;
    }

    public boolean has(String name, String version) {
        return known(name, version) != null;
    }

    Behaviour behaviour(String name, String version) {
        return find(name, version).behaviour();
    }

    private @Nullable Definition known(String name, String version) {
        Map<String, Definition> versions = versionsByName.get(name);
        return versions == null ? null : versions.get(version);
    }

    /** A workflow of a definition that this program does not have. */
    public static final class Unknown extends PawlException {

        private static final long serialVersionUID = 1L;

        Unknown(String name, String version) {
            super("DefinitionUnknown", "definition " + name + " version " + version
                    + " is not registered; register it, or start a program that has it", null);
        }
    }
}
