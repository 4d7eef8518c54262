<?php
// A webhook receiver in PHP without a library. It stores events in SQLite (php-sqlite3).
//
//     WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:3000 examples/receivers/php/receiver.php

declare(strict_types=1);

require_once __DIR__ . '/store.php';

const TOLERANCE_S = 300;

/** Returns the key: the secret without its prefix, decoded. Fails without a secret: never use an empty key. */
function keyFrom(string $secret): string
{
    $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6), true) : '';
    return $key ?: throw new RuntimeException('set WEBHOOK_SECRET to the secret of the subscription (whsec_…)');
}

/** Returns the status of the error response, or null for a genuine event. The body has the raw bytes. */
function refusal(string $key, string $body): ?int
{
    [$id, $timestamp, $signatures] = array_map(
        fn (string $name): string => $_SERVER["HTTP_WEBHOOK_$name"] ?? '',
        ['ID', 'TIMESTAMP', 'SIGNATURE'],
    );
    if ($id === '' || !ctype_digit($timestamp) || $signatures === '') {
        return 400;
    }
    if (abs(time() - (int) $timestamp) > TOLERANCE_S) {
        return 400;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, binary: true));
    foreach (explode(' ', $signatures) as $one) {
        if (hash_equals($expected, $one)) {
            return null;
        }
    }
    return 401;
}

function receive(Store $store): int
{
    $body = file_get_contents('php://input');
    $status = refusal(keyFrom(getenv('WEBHOOK_SECRET') ?: ''), $body);
    if ($status === null) {
        $event = json_decode($body, associative: true, flags: JSON_THROW_ON_ERROR);
        $store->take($_SERVER['HTTP_WEBHOOK_ID'], $event['data']);
    }
    return $status ?? 204;
}

try {
    $isOurs = $_SERVER['REQUEST_METHOD'] === 'POST' && $_SERVER['SCRIPT_NAME'] === '/hooks';
    http_response_code($isOurs ? receive($store ?? new Store()) : 404);
} catch (Throwable $error) { // The service sends the event again.
    error_log((string) $error);
    http_response_code(500);
}
