package dev.pawl.lab.example;

import dev.pawl.WorkflowHandle;
import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowContext;
import dev.pawl.engine.flow.Guarantee;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Sells one item of a shop: takes it from the stock, sends the buyer to a payment page, and waits for the page, for the buyer who changes
 * his mind, or for the end of the time, whichever comes first. The stock is a table beside the engine's own, so that taking an item and the
 * record of it are one transaction. An item that is not paid for goes back.
 */
public final class Checkout {

    /** Signals: what the payment page says, and that the buyer does not want it any more. */
    public static final String PAYMENT = "payment";
    public static final String GIVEN_UP = "given-up";

    /** The payment page. Asked twice for the same order, it opens one session. */
    public interface PaymentPage {

        String open(String order, long cents);

        void close(String session);
    }

    /** An order, and how long the buyer has to pay. */
    public record Order(String id, String item, long cents, Duration patience) {
    }

    /** What the payment page says. */
    public record Payment(boolean paid, String reference) {
    }

    /** How it has ended. */
    public record Receipt(String order, String state, String reference) {
    }

    /** The shop opens with so many of an item. */
    public record Delivery(String item, int count) {
    }

    public static final Flow<Delivery, Integer> STOCK = Flow.named("stock", Delivery.class, Integer.class,
            (context, delivery) -> {
                context.transaction("table", Integer.class, connection -> execute(connection,
                        "create table if not exists shop_stock (item varchar(50) primary key, count integer not null)"));
                return context.transaction("fill", Integer.class, connection -> execute(connection,
                        "insert into shop_stock (item, count) values (?, " + delivery.count() + ")", delivery.item()));
            });

    public static final Flow<String, Integer> LEFT = Flow.named("left", String.class, Integer.class,
            (context, item) -> context.transaction("count", Integer.class, connection -> {
                try (PreparedStatement statement = connection.prepareStatement(
                        "select count from shop_stock where item = ?")) {
                    statement.setString(1, item);
                    try (ResultSet rows = statement.executeQuery()) {
                        return rows.next() ? rows.getInt(1) : 0;
                    }
                }
            }));

    private final Activity<Order, String> opening;
    private final Flow<Order, Receipt> flow = Flow.named("checkout", Order.class, Receipt.class, this::sell);

    public Checkout(PaymentPage page) {
        this.opening = Activity.named("open-page", Order.class, String.class,
                (Order order) -> page.open(order.id(), order.cents()))
                .key(Order::id).guarantee(Guarantee.IDEMPOTENT)
                .compensate((order, session) -> page.close(session));
    }

    public Flow<Order, Receipt> flow() {
        return flow;
    }

    private Receipt sell(FlowContext context, Order order) {
        int taken = context.transaction("take", Integer.class, connection -> execute(connection,
                "update shop_stock set count = count - 1 where item = ? and count > 0", order.item()));
        if (taken == 0) {
            return new Receipt(order.id(), "sold out", "");
        }
        try {
            String session = context.run(opening, order);
            context.attribute("session", session);
            Receipt receipt = context.race(List.of(
                    branch -> receipt(order, branch.signal(PAYMENT, Payment.class)),
                    branch -> new Receipt(order.id(), "given up", branch.signal(GIVEN_UP, String.class)),
                    branch -> {
                        branch.sleep(order.patience());
                        return new Receipt(order.id(), "not paid in time", "");
                    }));
            if (!receipt.state().equals("paid")) {
                putBack(context, order);
            }
            return receipt;
        } catch (RuntimeException e) {
            // Cancelled, or the page could not be opened. A cancellation must not keep the item.
            context.shielded(branch -> putBack(branch, order));
            throw e;
        }
    }

    private static Receipt receipt(Order order, Payment payment) {
        return new Receipt(order.id(), payment.paid() ? "paid" : "refused", payment.reference());
    }

    private static Integer putBack(FlowContext context, Order order) {
        return context.transaction("put-back", Integer.class, connection -> execute(connection,
                "update shop_stock set count = count + 1 where item = ?", order.item()));
    }

    private static int execute(Connection connection, String sql, String... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }

    public static void main(String[] args) throws Exception {
        Checkout shop = new Checkout(new PaymentPage() {

            @Override
            public String open(String order, long cents) {
                System.out.println(order + ": please pay " + cents + " cents");
                return "session-" + order;
            }

            @Override
            public void close(String session) {
                System.out.println(session + " is closed");
            }
        });
        Scratch.run(List.of(STOCK, LEFT, shop.flow()), pawl -> {
            pawl.start(STOCK, "stock", new Delivery("widget", 2)).result();
            WorkflowHandle<Receipt> paid = pawl.start(shop.flow(), "order-1",
                    new Order("order-1", "widget", 990, Duration.ofDays(1)));
            WorkflowHandle<Receipt> forgotten = pawl.start(shop.flow(), "order-2",
                    new Order("order-2", "widget", 990, Duration.ofMillis(500)));
            paid.signal(PAYMENT, new Payment(true, "visa-1"), "from-the-page");
            System.out.println(paid.result());
            System.out.println(forgotten.result());
            System.out.println("left: " + pawl.start(LEFT, "left", "widget").result());
        });
    }
}
