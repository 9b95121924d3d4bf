package dev.pawl.engine.shard;

import dev.pawl.engine.Definition;
import dev.pawl.engine.PawlException;
import dev.pawl.kernel.collation.Behaviour;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The definitions an engine has the code of, by name and version. */
public final class Definitions {

    private final Map<String, Definition> byNameAndVersion = new TreeMap<>();

    public Definitions(List<Definition> definitions) {
        for (Definition definition : definitions) {
            if (byNameAndVersion.put(key(definition.name(), definition.version()), definition) != null) {
                throw new IllegalArgumentException("definition " + definition.name() + " version "
                        + definition.version() + " is registered twice");
            }
        }
    }

    public Definition find(String name, String version) {
        Definition definition = byNameAndVersion.get(key(name, version));
        if (definition == null) {
            throw new Unknown(name, version);
        }
        return definition;
    }

    public boolean has(String name, String version) {
        return byNameAndVersion.containsKey(key(name, version));
    }

    Behaviour behaviour(String name, String version) {
        return find(name, version).behaviour();
    }

    private static String key(String name, String version) {
        return name + "\n" + version;
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
