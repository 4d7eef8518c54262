/** The fields of an event that the sample reads. {@code data} is the full delivery; null for webhook.test. */
record Event(String type, Delivery data) {
    record Delivery(String id, long version, String status) {}
}
