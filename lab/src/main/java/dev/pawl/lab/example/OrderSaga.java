package dev.pawl.lab.example;

import dev.pawl.WorkflowFailed;
import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.RetryPolicy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Books a flight, a hotel and a car with three companies. If one of them refuses, the bookings before it are taken back, the last one
 * first, and that survives a crash like everything else.
 */
public final class OrderSaga {

    /** What the companies were asked for, in order: for those who watch. */
    private final List<String> companies = new CopyOnWriteArrayList<>();

    private final Activity<Trip, String> flight = booking("flight");
    private final Activity<Trip, String> hotel = booking("hotel");
    private final Activity<Trip, String> car = booking("car").retry(RetryPolicy.NONE);

    /**
     * Where to, and by when.
     *
     * @param carsLeft whether there is a car to be had
     */
    public record Trip(String id, String city, boolean carsLeft) {
    }

    private final Flow<Trip, String> flow = Flow.named("trip", Trip.class, String.class, (context, trip) -> {
        String seat = context.run(flight, trip);
        String room = context.run(hotel, trip);
        String vehicle = context.run(car, trip);
        return String.join(", ", seat, room, vehicle);
    });

    public Flow<Trip, String> flow() {
        return flow;
    }

    public List<String> companies() {
        return companies;
    }

    /** The company knows the booking by its key: asked twice, it books once. So a crash in between is nothing to be afraid of. */
    private Activity<Trip, String> booking(String what) {
        return Activity.named(what, Trip.class, String.class, (Trip trip) -> book(what, trip))
                .key(trip -> what + ":" + trip.id())
                .guarantee(Guarantee.IDEMPOTENT)
                .compensate((trip, booked) -> companies.add("cancel " + what));
    }

    private String book(String what, Trip trip) {
        companies.add("book " + what);
        if (what.equals("car") && !trip.carsLeft()) {
            throw new IllegalStateException("no car left in " + trip.city());
        }
        return what + " to " + trip.city();
    }

    public static void main(String[] args) throws Exception {
        OrderSaga saga = new OrderSaga();
        Scratch.run(List.of(saga.flow()), pawl -> {
            System.out.println(pawl.start(saga.flow(), "trip-1", new Trip("trip-1", "Rome", true)).result());
            try {
                pawl.start(saga.flow(), "trip-2", new Trip("trip-2", "Oslo", false)).result();
            } catch (WorkflowFailed e) {
                System.out.println(e.getMessage());
            }
            System.out.println(saga.companies());
        });
    }
}
