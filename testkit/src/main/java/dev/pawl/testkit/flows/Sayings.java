package dev.pawl.testkit.flows;

import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.testkit.scenario.Text;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a flow must say of itself, worked out from its program and its record. */
final class Sayings {

    /** What every flow is born with. */
    static final Attribute BORN = new Attribute.Text("born", "with this");

    private static final Pattern NAME = Pattern.compile("\\{\"kind\":\"attribute\",\"(?:name|removed)\":\"([^\"]*)\"}");

    private final Map<String, @Nullable Long> expected = new TreeMap<>();

    /** From here on it has that value; null if it has none. */
    void says(String name, @Nullable Long value) {
        expected.put(name, value);
    }

    /** What is said otherwise. Branches that have lost may have said something, too: that is in their record. */
    List<String> judge(List<Attribute> stored, Map<String, ActivityRecord> operations, boolean born) {
        List<String> wrong = new ArrayList<>();
        Map<String, Attribute> byName = new TreeMap<>();
        stored.forEach(each -> byName.put(each.key().name(), each));
        if (born != BORN.equals(byName.remove(BORN.key().name()))) {
            wrong.add("has lost what it was born with, or has it from nowhere");
        }
        Set<String> said = new HashSet<>();
        operations.values().forEach(each -> {
            Matcher name = NAME.matcher(Text.in(each.input()));
            if (name.matches()) {
                said.add(name.group(1));
            }
        });
        expected.forEach((name, value) -> {
            Attribute found = byName.get(name);
            if (value == null ? found != null : !new Attribute.Whole(name, value).equals(found)) {
                wrong.add("says " + found + ", not " + name + " = " + value);
            }
        });
        byName.keySet().stream().filter(name -> !said.contains(name))
                .forEach(name -> wrong.add("says " + byName.get(name) + ", which it never said"));
        return wrong;
    }
}
