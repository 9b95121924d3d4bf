package dev.pawl.store.postgres;

import dev.pawl.store.sql.Statements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The commit as one statement, put together from the parts a batch needs. The same groups always give the same text: the server
 * prepares each text once per connection.
 */
final class PgStatement {

    /** The type of a parameter stands behind it in the file: there is no second list of types that could differ. */
    private static final Pattern PARAMETER = Pattern.compile("\\?(?:::(\\w+)(\\[])?)?");

    private final String sql;
    private final List<Parameter> parameters;

    /**
     * One question mark.
     *
     * @param column which of the part's columns stands there, from 0 on
     * @param arrayOf the type of the elements, or null if it is one value
     */
    private record Parameter(PgPart part, int column, @Nullable String arrayOf) {
    }

    private PgStatement(String sql, List<Parameter> parameters) {
        this.sql = sql;
        this.parameters = parameters;
    }

    /**
     * Puts the parts of some groups together.
     *
     * @param ahead what is sent ahead of the statement, in the same trip
     */
    static PgStatement of(Statements statements, String ahead, Set<PgPart.Group> groups) {
        List<PgPart> parts = Stream.of(PgPart.values()).filter(part -> groups.contains(part.group())).toList();
        List<Parameter> parameters = new ArrayList<>();
        List<String> expressions = new ArrayList<>();
        parts.stream().filter(part -> !part.write())
                .forEach(part -> expressions.add(expression(statements, part, parameters)));
        boolean finds = parts.contains(PgPart.FIND_WORKFLOW);
        expressions.add(
                "verdict as materialized (\nselect f.namespace, f.shard_nos" + (finds ? ", w.places" : "")
                        + " from fence f" + (finds ? " cross join find_workflow w where w.fits" : " where true")
                        + parts.stream().filter(PgPart::check)
                                .map(check -> " and not exists (select from " + check.sqlName() + ")")
                                .collect(Collectors.joining())
                        + ")");
        parts.stream().filter(PgPart::write)
                .forEach(part -> expressions.add(expression(statements, part, parameters)));
        return new PgStatement(ahead + "with " + String.join(",\n", expressions)
                + "\nselect exists (select from fence) as held, exists (select from verdict) as fits",
                List.copyOf(parameters));
    }

    private static String expression(Statements statements, PgPart part, List<Parameter> parameters) {
        Statements.Statement text = statements.get(part.sqlName());
        Matcher found = PARAMETER.matcher(text.sql());
        for (Integer number : text.order()) {
            boolean array = found.find() && found.group(2) != null;
            parameters.add(new Parameter(part, number - 1, array ? found.group(1) : null));
        }
        return part.sqlName() + (part.write() ? " as (\n" : " as materialized (\n") + text.sql() + ")";
    }

    String sql() {
        return sql;
    }

    /** Binds what the batch has for each part. */
    void bind(Connection connection, PreparedStatement statement, PgBatch batch) throws SQLException {
        for (int i = 0; i < parameters.size(); i++) {
            Parameter parameter = parameters.get(i);
            PgColumn column = batch.column(parameter.part(), parameter.column());
            if (parameter.arrayOf() == null) {
                column.bind(statement, i + 1);
            } else {
                statement.setArray(i + 1, column.array(connection, parameter.arrayOf()));
            }
        }
    }
}
