package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded of updates. The code of a handler runs in segments, from one of its operations to the next. Each segment that has come to
 * an operation or to the answer is recorded: in which operation the main code was meanwhile, and the how manieth segment of all it was.
 *
 * <p>Not thread-safe; guarded by its incarnation.
 */
final class UpdateRecords {

    private static final String ANSWER = Journal.OWN + "update:";
    private static final String BEGINNING = Journal.OWN + "began:";
    private static final String SEGMENT = Journal.OWN + "at:";
    private static final String REFUSED = "refused";

    private final Map<String, List<Segment>> byPlace = new HashMap<>();
    private final Map<String, Integer> countByUpdate = new HashMap<>();
    private int pending;
    private int numbers;

    /** What a row keeps, as {@link Header#update} or {@link Header#handler} has written it: the input is the bytes that came. */
    private record Kept(Payload input, String at, String kind, String name, int number) {

        static Kept of(ActivityRecord row) {
            Map<String, String> members = RecordJson.members(row.input());
            return new Kept(Objects.requireNonNullElse(Header.arguments(members), Payload.EMPTY),
                    text(members, "at"), text(members, "kind"), text(members, "name"),
                    Integer.parseInt(Objects.requireNonNull(members.get("number"))));
        }

        private static String text(Map<String, String> members, String name) {
            return Objects.requireNonNull(RecordJson.text(members, name));
        }
    }

    /** A segment that was run before. The input is that of the update. */
    record Segment(String update, int index, String name, Payload input, String at, int number, boolean answers) {
    }

    UpdateRecords(Function<String, List<ActivityRecord>> operations) {
        Map<String, Segment> beginnings = new HashMap<>();
        for (ActivityRecord row : operations.apply(BEGINNING)) {
            Segment first = placed(row, Journal.about(row.key().activity()), 0, row.output());
            beginnings.put(first.update(), first);
            add(first);
        }
        for (ActivityRecord row : operations.apply(SEGMENT)) {
            String id = Journal.about(row.key().activity());
            String update = id.substring(id.indexOf('.') + 1);
            int index = Integer.parseInt(id.substring(0, id.indexOf('.')));
            add(placed(row, update, index, Objects.requireNonNull(beginnings.get(update)).input()));
        }
        for (ActivityRecord row : operations.apply(ANSWER)) {
            Kept kept = Kept.of(row);
            if (!kept.kind().equals(REFUSED)) {
                String update = Journal.about(row.key().activity());
                Segment begun = beginnings.get(update);
                add(new Segment(update, countByUpdate.getOrDefault(update, 0), kept.name(),
                        begun == null ? kept.input() : begun.input(), Journal.paused(kept.at()),
                        kept.number(), true));
            }
        }
        byPlace.values().forEach(segments -> segments.sort(Comparator.comparingInt(Segment::number)));
    }

    private static Segment placed(ActivityRecord row, String update, int index, Payload input) {
        Kept kept = Kept.of(row);
        return new Segment(update, index, kept.name(), input, kept.at(), kept.number(), false);
    }

    private void add(Segment segment) {
        byPlace.computeIfAbsent(segment.at(), none -> new ArrayList<>()).add(segment);
        countByUpdate.merge(segment.update(), 1, Integer::sum);
        numbers = Math.max(numbers, segment.number());
        pending++;
    }

    /** The next segment that was run while the main code was in this operation; each is given once. */
    @Nullable Segment next(String at) {
        List<Segment> here = byPlace.get(Journal.paused(at));
        if (here == null || here.isEmpty()) {
            return null;
        }
        pending--;
        return here.removeFirst();
    }

    /** Whether everything that was run before has been run again. */
    boolean replayed() {
        return pending == 0;
    }

    /** Whether a segment of an update was run before. */
    boolean recorded(String update, int index) {
        return index < countByUpdate.getOrDefault(update, 0);
    }

    /** The number of the next segment that is run for the first time. */
    int nextNumber() {
        return ++numbers;
    }

    /** The operation that holds the answer to an update. */
    static String answer(String update) {
        return ANSWER + update;
    }

    /** Where the operations of a handler are. */
    static String path(String update) {
        return "update." + update + ":";
    }

    /** The first segment of an update has come to an operation: the update is taken. */
    static Advance.Change beginning(String update, String name, String at, int number, Payload input, Guid takes) {
        return done(BEGINNING + update, Header.handler(at, name, number), input, takes);
    }

    /** A later one has. */
    static Advance.Change segment(String update, int index, String name, String at, int number) {
        return done(SEGMENT + index + "." + update, Header.handler(at, name, number), Payload.EMPTY, null);
    }

    /** The handler has answered. */
    static Advance.Change answered(String update, String name, String at, int number, Payload input, Payload output,
            @Nullable Guid takes) {
        return done(answer(update), Header.update("update", at, name, number, input), output, takes);
    }

    /** The validator has refused it: nothing of the flow has run. */
    static Advance.Change refused(String update, String name, Payload input, Payload output, Guid takes) {
        return done(answer(update), Header.update(REFUSED, "", name, 0, input), output, takes);
    }

    private static Advance.Change done(String id, Payload header, Payload output, @Nullable Guid takes) {
        return new Advance.Do(FlowBehaviour.operation(id), header, output, new Request.Pass(false),
                takes);
    }
}
