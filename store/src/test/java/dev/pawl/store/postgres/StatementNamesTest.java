package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.store.sql.Statements;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code that both stores share finds the same statements in either. */
class StatementNamesTest {

    private static final Statements SQLITE = Statements.of("/dev/pawl/store/sqlite.sql");
    private static final Statements POSTGRES = Statements.of("/dev/pawl/store/postgres.sql");

    private static final Set<String> OF_THE_COMMIT =
            Stream.of(PgPart.values()).map(PgPart::sqlName).collect(Collectors.toSet());

    /** SQLite gives a workflow its number when it inserts the row. */
    private static final Set<String> OF_POSTGRES_ALONE = Set.of("draw_numbers", "locate_workflows");

    @Test
    void bothFilesHoldTheSameNames() {
        assertThat(POSTGRES.names()).filteredOn(name -> !OF_POSTGRES_ALONE.contains(name))
                .containsExactlyInAnyOrderElementsOf(SQLITE.names());
    }

    @Test
    void statementsOutsideTheCommitHaveTheSameParameters() {
        assertThat(SQLITE.names()).filteredOn(name -> !OF_THE_COMMIT.contains(name)).isNotEmpty()
                .allSatisfy(name -> assertThat(Set.copyOf(POSTGRES.get(name).order())).as(name)
                        .isEqualTo(Set.copyOf(SQLITE.get(name).order())));
    }

    @Test
    void everyPartOfTheCommitHasItsText() {
        assertThat(POSTGRES.names()).containsAll(OF_THE_COMMIT);
    }

    @Test
    void statementOfTheCommitHasEachPartOfItsGroupsOnce() {
        String sql = PgStatement.of(POSTGRES, "", Set.of(PgPart.Group.values())).sql();

        assertThat(OF_THE_COMMIT).allSatisfy(name -> assertThat(sql.split("(?m)^(with )?" + name + " as ")).as(name)
                .hasSize(2));
    }
}
