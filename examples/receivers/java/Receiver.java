import com.google.gson.Gson;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A webhook receiver with the JDK's server and Gson. It reads PORT and WEBHOOK_SECRET from the environment.
 *
 * <pre>
 * javac -encoding UTF-8 -cp gson.jar -d build examples/receivers/java/*.java
 * java -cp gson.jar:build Receiver
 * </pre>
 */
class Receiver {
    private static final long TOLERANCE_S = 300;
    private static final Gson GSON = new Gson();

    private final SecretKeySpec key = keyFrom(System.getenv().getOrDefault("WEBHOOK_SECRET", ""));
    private final Store store;

    Receiver(Store store) {
        this.store = store;
    }

    /** Returns the key: the secret without its prefix, decoded. Fails without a secret: never use an empty key. */
    private static SecretKeySpec keyFrom(String secret) {
        if (!secret.matches("whsec_.+")) {
            throw new IllegalStateException("set WEBHOOK_SECRET to the secret of the subscription (whsec_...)");
        }
        return new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256");
    }

    /** Returns the status of the error response, or 0 for a genuine event. The body has the raw bytes. */
    private int refusal(Headers headers, byte[] body) throws GeneralSecurityException {
        String id = headers.getFirst("webhook-id");
        String timestamp = headers.getFirst("webhook-timestamp");
        String signatures = headers.getFirst("webhook-signature");
        if (id == null || id.isEmpty() || timestamp == null || signatures == null || signatures.isEmpty()) return 400;
        if (!timestamp.matches("[0-9]{1,15}")) return 400;
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > TOLERANCE_S) return 400;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(key);
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
        boolean isGenuine = Arrays.stream(signatures.split(" "))
                .anyMatch(one -> MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), expected));
        return isGenuine ? 0 : 401;
    }

    private void receive(HttpExchange exchange) throws IOException {
        int status;
        try (exchange) {
            try {
                byte[] body = exchange.getRequestBody().readAllBytes();
                status = refusal(exchange.getRequestHeaders(), body);
                if (status == 0) {
                    Event event = GSON.fromJson(new String(body, StandardCharsets.UTF_8), Event.class);
                    store.take(exchange.getRequestHeaders().getFirst("webhook-id"), event);
                    status = 204;
                }
            } catch (Exception error) { // The service sends the event again.
                System.err.println("not processed: " + error);
                status = 500;
            }
            exchange.sendResponseHeaders(status, -1);
        }
    }

    void start() throws IOException {
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 128);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/hooks", this::receive);
        server.start();
        System.out.println("listening on port " + server.getAddress().getPort());
    }

    public static void main(String[] args) throws IOException {
        new Receiver(new Store()).start();
    }
}
