package dev.pawl.kernel.id;

/** What an id may look like: it must fit a path segment unescaped, and a key without ambiguity. */
public final class Names {

    public static final int LENGTH_MAX = 200;

    private static final String MARKS = "._~:+@-";

    private Names() {
    }

    /** 1 to 200 characters of {@code A-Z a-z 0-9 . _ ~ : + @ -}, but not the path segments {@code .} and {@code ..}. */
    public static boolean valid(String name) {
        return !name.isEmpty()
                && name.length() <= LENGTH_MAX
                && allowed(name)
                && !name.equals(".")
                && !name.equals("..");
    }

    /** Returns the name, or says what is wrong with it. */
    public static String require(String what, String name) {
        if (!valid(name)) {
            throw new IllegalArgumentException(what + " must be 1 to " + LENGTH_MAX
                    + " characters of A-Z a-z 0-9 . _ ~ : + @ -, but is " + shown(name));
        }
        return name;
    }

    private static String shown(String name) {
        return name.length() > LENGTH_MAX ? name.length() + " characters long" : "'" + name + "'";
    }

    /** By hand, because it is hot. */
    private static boolean allowed(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (!allowed(name.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean allowed(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || MARKS.indexOf(c) >= 0;
    }
}
