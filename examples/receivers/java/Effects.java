import com.google.gson.GsonBuilder;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The effects interface for the sample, for tests only. Starts the receiver, and reports the effects of events. */
class Effects extends Store {
    private final Map<String, Integer> processed = new HashMap<>();
    private boolean failNext;

    @Override
    protected boolean apply(String webhookId, Event.Delivery data) {
        if (failNext) {
            failNext = false;
            throw new IllegalStateException("failing on purpose, because fail-next was requested");
        }
        boolean changed = super.apply(webhookId, data);
        if (changed) processed.merge(webhookId, 1, Integer::sum);
        return changed;
    }

    private synchronized Object effectOf(String kind, String id) {
        if (kind.equals("events")) return Map.of("processed", processed.getOrDefault(id, 0));
        Event.Delivery stored = delivery(id);
        Map<String, Object> answer = new HashMap<>();
        answer.put("version", stored == null ? null : stored.version());
        answer.put("status", stored == null ? null : stored.status());
        return answer;
    }

    private synchronized void failNext() {
        failNext = true;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String[] path = exchange.getRequestURI().getPath().split("/");
            if (exchange.getRequestMethod().equals("POST")) {
                failNext();
                exchange.sendResponseHeaders(204, -1);
                return;
            }
            String json = new GsonBuilder().serializeNulls().create().toJson(effectOf(path[1], path[2]));
            byte[] body = json.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("content-type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    public static void main(String[] args) throws IOException {
        Effects effects = new Effects();
        int port = Integer.parseInt(System.getenv().getOrDefault("EFFECTS_PORT", "3001"));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 128);
        server.createContext("/", effects::answer);
        server.start();
        System.out.println("effects on port " + server.getAddress().getPort());
        new Receiver(effects).start();
    }
}
