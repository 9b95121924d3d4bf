package dev.pawl.lab.example;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.Received;
import java.time.Duration;
import java.util.List;

/** Waits for a person to say yes or no, but not for ever. A day of waiting costs a row in a table, and no thread. */
public final class Approval {

    /** The signal a person sends. */
    public static final String DECISION = "decision";

    private Approval() {
    }

    /** So much is to be spent, and somebody has so long to say whether. */
    public record Request(String purpose, long cents, Duration patience) {
    }

    /** What somebody said. */
    public record Decision(String person, boolean yes) {
    }

    public static final Flow<Request, String> FLOW = Flow.named("approval", Request.class, String.class,
            (flow, request) -> {
                String inbox = flow.step("ask", String.class, () -> "asked for " + request.purpose());
                Received<Decision> answer = flow.signal(DECISION, Decision.class, request.patience());
                return inbox + ", " + (answer.arrived() ? said(answer.payload()) : "nobody answered");
            });

    private static String said(Decision decision) {
        return (decision.yes() ? "approved" : "refused") + " by " + decision.person();
    }

    public static void main(String[] args) throws Exception {
        Scratch.run(List.of(FLOW), pawl -> {
            var answered = pawl.start(FLOW, "chairs", new Request("chairs", 90_000, Duration.ofDays(3)));
            var forgotten = pawl.start(FLOW, "yacht", new Request("a yacht", 90_000_000, Duration.ofSeconds(1)));
            answered.signal(DECISION, new Decision("Ada", true), "decision-of-ada");
            System.out.println(answered.result());
            System.out.println(forgotten.result());
        });
    }
}
