import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * An in-memory store for the sample. In production, use a database, and make {@code take} one transaction that inserts
 * the event's id under a unique key and writes the delivery {@code where version < …}. If it fails, the service sends the
 * event again.
 */
class Store {
    private final Set<String> processedIds = new HashSet<>();
    private final Map<String, Event.Delivery> deliveries = new HashMap<>();

    /** Processes an event once. Only a later version replaces an earlier one, because events can arrive out of order. */
    synchronized void take(String webhookId, Event event) {
        if (processedIds.contains(webhookId)) return;
        apply(webhookId, event.data());
        processedIds.add(webhookId);
    }

    /** Returns true if the stored data changed. */
    protected boolean apply(String webhookId, Event.Delivery data) {
        if (data == null) return false;
        Event.Delivery stored = deliveries.get(data.id());
        if (stored != null && data.version() < stored.version()) return false;
        deliveries.put(data.id(), data);
        return true;
    }

    /** Returns the stored delivery; null if there is none. */
    synchronized Event.Delivery delivery(String id) {
        return deliveries.get(id);
    }
}
