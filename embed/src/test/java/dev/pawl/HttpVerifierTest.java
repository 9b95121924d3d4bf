package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Verified;
import dev.pawl.engine.verify.HttpVerifier;
import dev.pawl.testkit.contract.VerifierContract;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The verifier that asks a web service, against the contract of all verifiers. */
class HttpVerifierTest extends VerifierContract<Integer, String> {

    private final Map<String, String> effects = new ConcurrentHashMap<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private volatile int status;
    private volatile long delayMillis;
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/charges/", exchange -> {
            String segment = exchange.getRequestURI().getRawPath().substring("/charges/".length());
            // A plus in a path is a plus.
            String key = URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
            String found = effects.get(key);
            int answer = status != 0 ? status : found == null ? 404 : 200;
            byte[] body = (found == null ? "no" : found).getBytes(StandardCharsets.UTF_8);
            try {
                Thread.sleep(delayMillis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(answer, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private HttpVerifier<Integer, String> http() {
        return HttpVerifier.at(client, "http://127.0.0.1:" + server.getAddress().getPort() + "/charges/{key}",
                body -> new String(body, StandardCharsets.UTF_8));
    }

    @Override
    protected Activity.Verifier<Integer, String> verifier() {
        return http();
    }

    @Override
    protected String perform(String key, Integer input) {
        String result = "charge " + input;
        effects.put(key, result);
        return result;
    }

    @Override
    protected Integer input(int n) {
        return n;
    }

    @Override
    protected AutoCloseable outage() {
        status = 503;
        return () -> status = 0;
    }

    @Test
    void onlyFoundAndNotFoundSayAnything() throws Exception {
        for (int each : new int[] {201, 204, 301, 400, 401, 403, 410, 429, 500, 502}) {
            status = each;
            assertThat(http().verify("k", 1)).as("status " + each).isInstanceOf(Verified.Indeterminate.class);
        }
        status = 404;
        assertThat(http().verify("k", 1)).isInstanceOf(Verified.NotCompleted.class);
    }

    @Test
    void silenceAndAClosedDoorSayNothing() throws Exception {
        delayMillis = 500;
        assertThat(http().timeout(Duration.ofMillis(50)).verify("k", 1)).isInstanceOf(Verified.Indeterminate.class);
        HttpVerifier<Integer, String> verifier = http();
        server.stop(0);
        assertThat(verifier.verify("k", 1)).isInstanceOf(Verified.Indeterminate.class);
    }

    @Test
    void answerThatCannotBeReadIsAnEffectWithoutItsResult() throws Exception {
        effects.put("k", "x");
        HttpVerifier<Integer, Integer> numbers = HttpVerifier.at(client,
                "http://127.0.0.1:" + server.getAddress().getPort() + "/charges/{key}",
                body -> Integer.valueOf(new String(body, StandardCharsets.UTF_8)));
        assertThat(numbers.header("Authorization", "Bearer x").verify("k", 1))
                .isInstanceOf(Verified.ResultUnavailable.class);
        assertThatThrownBy(() -> HttpVerifier.at(client, "http://nowhere", body -> "")).hasMessageContaining("{key}");
    }
}
