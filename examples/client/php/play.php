<?php
// A short example of a point of sale: links a restaurant, creates deliveries and catches up.
//
//     npm run client -- -- php examples/client/php/play.php

declare(strict_types=1);

require __DIR__ . '/DispatchClient.php';

const ORDERS = 20;
const STORE = 'php-1';

/** Every fifth customer's address could not be found on the map, so it has no coordinates. */
function anOrder(int $number): array
{
    $istanbul = new DateTimeZone('Europe/Istanbul');
    $point = $number % 5 > 0 ? ['lat' => 41.0092, 'lng' => 28.9794] : [];
    return [
        'external_ref' => "php-$number",
        'store' => ['external_store_id' => STORE],
        'customer' => ['name' => "Müşteri $number", 'phone' => '0532 123 45 67'],
        'dropoff' => ['text' => "Moda Caddesi $number, Kadıköy", ...$point],
        'payment' => ['type' => 'NAKIT', 'amount_due' => 249.9],
        'ready_at' => (new DateTimeImmutable('+20 minutes', $istanbul))->format(DateTimeInterface::RFC3339),
    ];
}

$client = new DispatchClient(
    getenv('BASE_URL'),
    getenv('CLIENT_ID'),
    getenv('CLIENT_SECRET'),
    (float) (getenv('TIME_SCALE') ?: 1),
);

$client->call('POST', '/v1/stores', [
    'external_store_id' => STORE,
    'pairing_code' => getenv('PAIRING_CODE'),
    'name' => 'Moda Mutfak',
    'address' => ['text' => 'Moda Caddesi 10, Kadıköy', 'lat' => 41.0082, 'lng' => 28.9784],
]);

for ($number = 1; $number <= ORDERS; $number++) {
    $answer = $client->createDelivery(anOrder($number), bin2hex(random_bytes(16)));
    if ($answer->status !== 201 && $answer->status !== 200) {
        // Staff must handle a refused order. Continue with the next order.
        echo "order $number: $answer->status {$answer->code()}\n";
    }
}

$cursor = null;
$changes = iterator_count($client->catchUp($cursor));
echo "$changes changes read\n";
