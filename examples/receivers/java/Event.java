/** What the sample reads of an event. {@code data} is the full delivery; null for webhook.test. */
record Event(String type, Delivery data) {
    record Delivery(String id, long version, String status) {}
}
