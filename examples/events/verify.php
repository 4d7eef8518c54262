<?php
// Verifies sample events in PHP without a library: php verify.php samples/*.json

declare(strict_types=1);

const TOLERANCE_S = 300;

/** Returns true for a genuine event of the last five minutes. The body has the received bytes. */
function isGenuine(string $secret, array $headers, string $body, ?int $now = null): bool
{
    $key = base64_decode(substr($secret, strlen('whsec_')), strict: true);
    ['webhook-id' => $id, 'webhook-timestamp' => $timestamp] = $headers;
    if (!ctype_digit($timestamp) || abs(($now ?? time()) - (int) $timestamp) > TOLERANCE_S) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, binary: true));
    $matching = array_filter(explode(' ', $headers['webhook-signature']), fn ($one) => hash_equals($expected, $one));
    return $matching !== [];
}

$files = array_slice($argv, 1);
$refused = array_filter($files, function (string $file): bool {
    $sample = json_decode(file_get_contents($file), associative: true, flags: JSON_THROW_ON_ERROR);
    return !isGenuine($sample['secret'], $sample['headers'], base64_decode($sample['body_base64'], strict: true));
});
printf("%d genuine, %d refused: %s\n", count($files) - count($refused), count($refused), implode(' ', $refused));
exit($refused === [] ? 0 : 1);
