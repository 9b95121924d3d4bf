package dev.pawl.store.sql;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The SQL of one database, read from its file: each statement stands under {@code -- name: its_name} and ends where the next
 * one begins. Parameters are numbered: {@code ?1}. What several statements share stands under {@code -- part: its_name}, before
 * them, and {@code {its_name}} stands for it. Lines of comment say why and are left out.
 */
public final class Statements {

    private static final String NAME = "-- name:";
    private static final String PART = "-- part:";
    private static final Pattern PARAMETER = Pattern.compile("\\?(\\d+)");
    private static final Pattern SHARED = Pattern.compile("\\{(\\w+)}");

    private final String file;
    private final BiFunction<String, String, Statement> form;
    private final Map<String, Statement> byName = new LinkedHashMap<>();
    private final Map<String, String> parts = new HashMap<>();

    /**
     * One statement.
     *
     * @param sql as the driver wants it
     * @param order which parameter each place takes that the driver knows of, from 1 on; several may take the same
     */
    public record Statement(String name, String sql, List<Integer> order) {

        /** With plain question marks: a place for each. */
        static Statement plain(String name, String text) {
            List<Integer> order = new ArrayList<>();
            String sql = PARAMETER.matcher(text).replaceAll(found -> {
                order.add(Integer.valueOf(found.group(1)));
                return "?";
            });
            return new Statement(name, sql, List.copyOf(order));
        }

        /** As it stands: a place for each parameter, however often it is used. */
        static Statement numbered(String name, String text) {
            int count = PARAMETER.matcher(text).results().mapToInt(found -> Integer.parseInt(found.group(1))).max()
                    .orElse(0);
            return new Statement(name, text, IntStream.rangeClosed(1, count).boxed().toList());
        }
    }

    private Statements(String file, BiFunction<String, String, Statement> form) {
        this.file = file;
        this.form = form;
    }

    /** Reads a file by its absolute name on the class path, for a driver that knows plain question marks only. */
    public static Statements of(String file) {
        return read(new Statements(file, Statement::plain));
    }

    /** Reads a file for a driver that takes numbered parameters, so that each is handed over once. */
    public static Statements numbered(String file) {
        return read(new Statements(file, Statement::numbered));
    }

    private static Statements read(Statements statements) {
        String name = "";
        StringBuilder sql = new StringBuilder();
        for (String line : text(statements.file).lines().toList()) {
            if (line.startsWith(NAME) || line.startsWith(PART)) {
                statements.add(name, sql);
                name = line;
                sql = new StringBuilder();
            } else if (!line.startsWith("--")) {
                sql.append(line).append('\n');
            }
        }
        statements.add(name, sql);
        return statements;
    }

    private static String text(String file) {
        try (InputStream in = Statements.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("no file " + file + " on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + file, e);
        }
    }

    private void add(String head, StringBuilder sql) {
        String text = SHARED.matcher(sql.toString().strip()).replaceAll(found -> Matcher.quoteReplacement(
                Objects.requireNonNull(parts.get(found.group(1)), () -> "no part " + found.group() + " in " + file)));
        if (head.isEmpty() && text.isEmpty()) {
            return;
        }
        String name = head.substring(head.indexOf(':') + 1).strip();
        boolean known = head.startsWith(PART)
                ? parts.put(name, text) != null
                : byName.put(name, form.apply(name, text)) != null;
        if (name.isEmpty() || text.isEmpty() || known) {
            throw new IllegalStateException(
                    "statement '" + name + "' in " + file + " is nameless, empty or there twice");
        }
    }

    public Statement get(String name) {
        Statement statement = byName.get(name);
        if (statement == null) {
            throw new IllegalStateException("no statement '" + name + "' in " + file);
        }
        return statement;
    }

    public Set<String> names() {
        return byName.keySet();
    }
}
