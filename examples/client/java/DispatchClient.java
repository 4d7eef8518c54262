import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;

/** A client of the Courier Dispatch Integration Service with the JDK's HttpClient: the token, retries and catching up. */
class DispatchClient {
    private static final int MAX_ATTEMPTS = 12;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(60);
    /** Renews a token this long before it expires, so that no request arrives with an expired token. */
    private static final Duration RENEWAL_MARGIN = Duration.ofSeconds(60);
    private static final Gson GSON = new Gson();

    /** A response of the service. Status 0 means that the connection broke. */
    record Answer(int status, JsonObject body, Duration retryAfter) {
        /** The error code; empty if the response has none. The client decides by this code. */
        String code() {
            boolean hasCode = body.get("error") instanceof JsonObject error && error.has("code");
            return hasCode ? body.getAsJsonObject("error").get("code").getAsString() : "";
        }

        /** True if a retry may succeed. */
        boolean isTransient() {
            return status == 0 || status == 429 || status >= 500;
        }
    }

    private final HttpClient http = HttpClient.newHttpClient();
    private final String baseUrl;
    private final Map<String, String> grant;
    private final double timeScale;
    private String token;
    private Instant tokenExpires = Instant.MIN;

    /** @param timeScale factor of all waits; 1 except in tests */
    DispatchClient(String baseUrl, String clientId, String clientSecret, double timeScale) {
        this.baseUrl = baseUrl;
        this.grant = Map.of(
                "grant_type", "client_credentials", "client_id", clientId, "client_secret", clientSecret);
        this.timeScale = timeScale;
    }

    /** Sends a request until a final response. Gets a new token once if the token is refused. */
    Answer call(String method, String path, Object body, String... headers) throws InterruptedException {
        String used = token();
        Answer answer = sendWithRetries(method, path, body, authorised(used, headers));
        if (answer.status() != 401) return answer;
        forget(used);
        return sendWithRetries(method, path, body, authorised(token(), headers));
    }

    /** Creates a delivery. Store the key with the order, because a retry needs the same key. */
    Answer createDelivery(Object order, String key) throws InterruptedException {
        return call("POST", "/v1/deliveries", order, "Idempotency-Key", key);
    }

    /**
     * Reads every delivery that changed since the cursor, oldest change first.
     *
     * @param cursor null for the start
     * @return the cursor for the next call
     */
    String catchUp(String cursor, Consumer<JsonObject> take) throws InterruptedException {
        while (true) {
            String query = cursor == null ? "" : "?since=" + URLEncoder.encode(cursor, StandardCharsets.UTF_8);
            Answer page = call("GET", "/v1/deliveries" + query, null);
            if (cursor != null && page.code().equals("IMLEC_GECERSIZ")) {
                cursor = null; // Starts again, because the service refuses the cursor.
                continue;
            }
            if (page.status() != 200) throw new IllegalStateException("the list request got " + page.status());
            for (JsonElement item : page.body().getAsJsonArray("items")) take.accept(item.getAsJsonObject());
            JsonElement next = page.body().get("next_cursor");
            if (next != null && !next.isJsonNull()) cursor = next.getAsString();
            if (!page.body().get("has_more").getAsBoolean()) return cursor;
        }
    }

    /** Returns the token that threads share. */
    private synchronized String token() throws InterruptedException {
        if (token == null || Instant.now().isAfter(tokenExpires)) {
            Answer answer = sendWithRetries("POST", "/oauth/token", grant);
            if (answer.status() != 200) {
                throw new IllegalStateException("the token request got " + answer.status() + " " + answer.code());
            }
            token = answer.body().get("access_token").getAsString();
            tokenExpires = Instant.now().plusSeconds(answer.body().get("expires_in").getAsLong()).minus(RENEWAL_MARGIN);
        }
        return token;
    }

    /** Drops a refused token, unless another thread has renewed it meanwhile. */
    private synchronized void forget(String refused) {
        if (refused.equals(token)) token = null;
    }

    private static String[] authorised(String token, String... headers) {
        String[] all = new String[headers.length + 2];
        System.arraycopy(headers, 0, all, 2, headers.length);
        all[0] = "Authorization";
        all[1] = "Bearer " + token;
        return all;
    }

    private Answer sendWithRetries(String method, String path, Object body, String... headers)
            throws InterruptedException {
        for (int failures = 1; ; failures++) {
            Answer answer = send(method, path, body, headers);
            if (!answer.isTransient() || failures == MAX_ATTEMPTS) return answer;
            Duration backoff = Duration.ofSeconds(Math.min(1L << (failures - 1), LONGEST_WAIT.toSeconds()));
            Duration wait = backoff.compareTo(answer.retryAfter()) > 0 ? backoff : answer.retryAfter();
            Thread.sleep((long) (wait.toMillis() * timeScale));
        }
    }

    private Answer send(String method, String path, Object body, String... headers) throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(baseUrl + path)).timeout(RESPONSE_TIMEOUT);
        if (headers.length > 0) request.headers(headers);
        if (body == null) request.method(method, HttpRequest.BodyPublishers.noBody());
        else {
            request.header("Content-Type", "application/json");
            request.method(method, HttpRequest.BodyPublishers.ofString(GSON.toJson(body)));
        }
        try {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            Duration asked = response.headers().firstValue("retry-after").filter(text -> text.matches("\\d{1,6}"))
                    .map(text -> Duration.ofSeconds(Long.parseLong(text))).orElse(Duration.ZERO);
            return new Answer(response.statusCode(), parsed(response.body()), asked);
        } catch (IOException noResponse) {
            return new Answer(0, new JsonObject(), Duration.ZERO);
        }
    }

    /** Returns the parsed object. Empty for any other text, such as a gateway's error page. */
    private static JsonObject parsed(String text) {
        try {
            JsonObject object = GSON.fromJson(text, JsonObject.class);
            return object == null ? new JsonObject() : object;
        } catch (JsonParseException | ClassCastException noObject) {
            return new JsonObject();
        }
    }
}
