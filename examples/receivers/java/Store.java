import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What the sample keeps, in memory. In yours it is a database, and {@code take} one transaction: the event's id under
 * a unique key, and the delivery written {@code where version < …}. Both or none: an event whose processing failed
 * comes again.
 */
class Store {
    private final Set<String> taken = new HashSet<>();
    private final Map<String, Event.Delivery> deliveries = new HashMap<>();

    /** Takes an event once, and only lets a later version replace an earlier one: events overtake each other. */
    synchronized void take(String webhookId, Event event) {
        if (taken.contains(webhookId)) return;
        apply(webhookId, event.data());
        taken.add(webhookId);
    }

    /** Returns whether anything that is held changed. */
    protected boolean apply(String webhookId, Event.Delivery data) {
        if (data == null) return false;
        Event.Delivery held = deliveries.get(data.id());
        if (held != null && data.version() < held.version()) return false;
        deliveries.put(data.id(), data);
        return true;
    }

    /** What is held of a delivery; null where nothing is. */
    synchronized Event.Delivery delivery(String id) {
        return deliveries.get(id);
    }
}
