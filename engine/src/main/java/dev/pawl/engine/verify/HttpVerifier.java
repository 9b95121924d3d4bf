package dev.pawl.engine.verify;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Verified;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks an effect up by its idempotency key, at a web service that answers 200 with what it came to, or 404 if there is no such thing.
 * Any other status, a time-out or a broken connection says nothing about the effect: indeterminate. A 200 that cannot be read says that it
 * has happened, but not what it came to.
 *
 * <p>The service must know of an effect as soon as it has answered the call that made it; one that catches up later answers 404 too early.
 *
 * @param <I> what the activity is given
 * @param <O> what it comes to
 */
public final class HttpVerifier<I extends @Nullable Object, O extends @Nullable Object>
        implements
        Activity.Verifier<I, O> {

    private static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(10);
    private static final String KEY = "{key}";
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final HttpClient client;
    private final String template;
    private final Decoder<O> decoder;
    private final Duration timeout;
    private final Map<String, String> headers;

    /** Makes a result of the body of an answer. */
    @FunctionalInterface
    public interface Decoder<O extends @Nullable Object> {

        O decode(byte[] body) throws Exception;
    }

    private HttpVerifier(HttpClient client, String template, Decoder<O> decoder, Duration timeout,
            Map<String, String> headers) {
        this.client = client;
        this.template = template;
        this.decoder = decoder;
        this.timeout = timeout;
        this.headers = headers;
    }

    /** The template holds {@code {key}} where the key goes, which is escaped for it: {@code https://bank.example/charges/{key}}. */
    public static <I extends @Nullable Object, O extends @Nullable Object> HttpVerifier<I, O> at(HttpClient client,
            String template, Decoder<O> decoder) {
        if (!template.contains(KEY)) {
            throw new IllegalArgumentException("the URI says with " + KEY + " where the key goes, but is " + template);
        }
        return new HttpVerifier<>(client, template, decoder, TIMEOUT_DEFAULT, Map.of());
    }

    public HttpVerifier<I, O> timeout(Duration longest) {
        return new HttpVerifier<>(client, template, decoder, longest, headers);
    }

    public HttpVerifier<I, O> header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new HttpVerifier<>(client, template, decoder, timeout, more);
    }

    @Override
    public Verified<O> verify(String key, I input) throws InterruptedException {
        HttpResponse<byte[]> response;
        try {
            response = client.send(request(key), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            return new Verified.Indeterminate<>("the service could not be asked: " + e.getClass().getSimpleName());
        }
        return switch (response.statusCode()) {
            case OK -> completed(response.body());
            case NOT_FOUND -> new Verified.NotCompleted<>();
            default -> new Verified.Indeterminate<>("the service answered with status " + response.statusCode());
        };
    }

    private HttpRequest request(String key) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(template.replace(KEY, escaped(key))))
                .timeout(timeout).GET();
        headers.forEach(request::header);
        return request.build();
    }

    /** As a segment of a path: a form's plus is a plus there; and two dots would be another segment. */
    private static String escaped(String key) {
        return URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A")
                .replace(".", "%2E");
    }

    private Verified<O> completed(byte[] body) {
        try {
            return new Verified.Completed<>(decoder.decode(body));
        } catch (Exception e) {
            return new Verified.ResultUnavailable<>(
                    "the service has it, but its answer cannot be read: " + e.getClass().getSimpleName());
        }
    }
}
