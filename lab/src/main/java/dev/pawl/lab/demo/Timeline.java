package dev.pawl.lab.demo;

import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.ledger.ActivityLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The events of a workflow as lines for people: a number for each transition, with what it made durable at once. */
final class Timeline {

    private static final JsonMapper JSON = JsonMapper.shared();
    /** The engine that runs it follows. */
    private static final Pattern LOCAL = Pattern.compile("local attempt (\\d+)");

    private final Instant from;

    Timeline(Event first) {
        this.from = at(JSON.readTree(first.json()));
    }

    static String head() {
        return line("number", "seconds", "operation", "ledger", "what it tells");
    }

    List<String> lines(Event event) {
        JsonNode json = JSON.readTree(event.json());
        List<String> lines = new ArrayList<>();
        String number = Long.toString(event.number());
        String seconds = String.format(Locale.ROOT, "%.2f", Duration.between(from, at(json)).toMillis() / 1e3);
        for (JsonNode activity : json.path("activities")) {
            boolean first = lines.isEmpty();
            lines.add(line(first ? number : "", first ? seconds : "", name(activity),
                    ledger(activity).toString(), told(activity)));
        }
        if (json.has("closed")) {
            lines.add(line("", "", "order-42", "",
                    json.path("closed").path("status").asString().toLowerCase(Locale.ROOT)));
        }
        return lines;
    }

    private static String line(String number, String seconds, String operation, String ledger, String told) {
        return String.format("  %6s  %7s  %-9s  %-15s  %s", number, seconds, operation, ledger, told).stripTrailing();
    }

    private static Instant at(JsonNode json) {
        return Instant.ofEpochMilli(json.path("at").asLong());
    }

    private static String name(JsonNode activity) {
        String key = activity.path("key").asString();
        return key.substring(0, key.indexOf(','));
    }

    private static ActivityLedger ledger(JsonNode activity) {
        return new ActivityLedger(activity.path("ledger").asLong());
    }

    private static String told(JsonNode activity) {
        ActivityLedger ledger = ledger(activity);
        String waker = activity.path("waker").asString("");
        if (ledger.trigger()) {
            return "the order is accepted";
        }
        if (ledger.finalized()) {
            return name(activity).equals("flow") ? "the code has returned" : "finished";
        }
        Matcher local = LOCAL.matcher(waker);
        if (local.lookingAt()) {
            return local.group(1).equals("1") ? "begun" : "begun again, attempt " + local.group(1);
        }
        return waker.startsWith("code") ? "the code may run" : "a message is on its way";
    }
}
