import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A short example of a point of sale: links a restaurant, creates deliveries and catches up. With Gson's jar:
 *
 * <pre>
 * javac -encoding UTF-8 -cp gson.jar -d build examples/client/java/*.java
 * npm run client -- -- java -cp gson.jar:build Play
 * </pre>
 */
class Play {
    private static final int ORDERS = 20;
    private static final String STORE = "java-1";
    private static final ZoneId ISTANBUL = ZoneId.of("Europe/Istanbul");

    /** Every fifth customer's address could not be found on the map, so it has no coordinates. */
    private static Map<String, Object> anOrder(int number) {
        String address = "Moda Caddesi " + number + ", Kadıköy";
        return Map.of(
                "external_ref", "java-" + number,
                "store", Map.of("external_store_id", STORE),
                "customer", Map.of("name", "Müşteri " + number, "phone", "0532 123 45 67"),
                "dropoff", number % 5 > 0
                        ? Map.of("text", address, "lat", 41.0092, "lng", 28.9794)
                        : Map.of("text", address),
                "payment", Map.of("type", "NAKIT", "amount_due", 249.9),
                "ready_at", ZonedDateTime.now(ISTANBUL).plusMinutes(20).format(DateTimeFormatter.ISO_OFFSET_DATE_TIME));
    }

    public static void main(String[] args) throws InterruptedException {
        Map<String, String> given = System.getenv();
        DispatchClient client = new DispatchClient(
                given.get("BASE_URL"),
                given.get("CLIENT_ID"),
                given.get("CLIENT_SECRET"),
                Double.parseDouble(given.getOrDefault("TIME_SCALE", "1")));

        client.call("POST", "/v1/stores", Map.of(
                "external_store_id", STORE,
                "pairing_code", given.get("PAIRING_CODE"),
                "name", "Moda Mutfak",
                "address", Map.of("text", "Moda Caddesi 10, Kadıköy", "lat", 41.0082, "lng", 28.9784)));

        for (int number = 1; number <= ORDERS; number++) {
            DispatchClient.Answer answer = client.createDelivery(anOrder(number), UUID.randomUUID().toString());
            if (answer.status() != 201 && answer.status() != 200) {
                // Staff must handle a refused order. Continue with the next order.
                System.out.println("order " + number + ": " + answer.status() + " " + answer.code());
            }
        }

        AtomicInteger changes = new AtomicInteger();
        client.catchUp(null, delivery -> changes.incrementAndGet());
        System.out.println(changes + " changes read");
    }
}
