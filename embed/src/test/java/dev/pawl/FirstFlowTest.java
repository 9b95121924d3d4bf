package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.flow.Flow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A flow from its start to its result. */
class FirstFlowTest {

    private final List<String> done = Collections.synchronizedList(new ArrayList<>());

    record Order(String item, int amount) {
    }

    record Receipt(String parcel, int paid) {
    }

    private final Flow<Order, Receipt> checkout = Flow.named("checkout", Order.class, Receipt.class, (flow, order) -> {
        int paid = flow.step("pay", Integer.class, () -> {
            done.add("pay");
            return order.amount() * 2;
        });
        String parcel = flow.step("ship", String.class, () -> {
            done.add("ship");
            return "parcel of " + order.item();
        });
        return new Receipt(parcel, paid);
    });

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void flowRunsToItsResult(Databases.Kind kind) {
        try (Pawl pawl = Pawl.open(kind.fresh(), checkout)) {
            WorkflowHandle<Receipt> handle = pawl.start(checkout, "order-1", new Order("book", 21));

            assertThat(handle.result(Duration.ofSeconds(20))).isEqualTo(new Receipt("parcel of book", 42));
            assertThat(done).containsExactly("pay", "ship");
            assertThat(pawl.start(checkout, "order-1", new Order("book", 21)).result(Duration.ofSeconds(20)))
                    .isEqualTo(new Receipt("parcel of book", 42));
            assertThat(done).hasSize(2);
            assertThat(handle.operations()).hasSize(2)
                    .allMatch(operation -> operation.ledger().toString().equals("201100000000001"));
        }
    }
}
