<?php

declare(strict_types=1);

/** A response of the service. Status 0 means that the connection broke. */
final class Answer
{
    public function __construct(
        public readonly int $status,
        public readonly ?array $body = null,
        public readonly int $retryAfter = 0,
    ) {
    }

    public function code(): ?string
    {
        return $this->body['error']['code'] ?? null;
    }

    /** True if a retry may succeed. */
    public function isTransient(): bool
    {
        return $this->status === 0 || $this->status === 429 || $this->status >= 500;
    }
}

/** A client of the Courier Dispatch Integration Service with PHP's curl: the token, retries and catching up. */
final class DispatchClient
{
    private const MAX_ATTEMPTS = 12;
    private const LONGEST_WAIT_S = 60;
    private const RESPONSE_TIMEOUT_S = 60;
    /** Renews a token this long before it expires, so that no request arrives with an expired token. */
    private const RENEWAL_MARGIN_S = 60;

    private CurlHandle $curl;
    private ?string $token = null;
    private float $tokenExpires = 0;

    /** @param float $timeScale factor of all waits; 1 except in tests */
    public function __construct(
        private readonly string $baseUrl,
        private readonly string $clientId,
        #[SensitiveParameter] private readonly string $clientSecret,
        private readonly float $timeScale = 1,
    ) {
        // One handle for all requests, so that they reuse its connection.
        $this->curl = curl_init();
    }

    /** Sends a request until a final response. Gets a new token once if the token is refused. */
    public function call(string $method, string $path, ?array $body = null, array $headers = []): Answer
    {
        $token = $this->token();
        $answer = $this->sendWithRetries($method, $path, $body, ["Authorization: Bearer $token", ...$headers]);
        if ($answer->status !== 401) {
            return $answer;
        }
        $this->token = null;
        $token = $this->token();
        return $this->sendWithRetries($method, $path, $body, ["Authorization: Bearer $token", ...$headers]);
    }

    /** Creates a delivery. Store the key with the order, because a retry needs the same key. */
    public function createDelivery(array $order, string $key): Answer
    {
        return $this->call('POST', '/v1/deliveries', $order, ["Idempotency-Key: $key"]);
    }

    /**
     * Reads every delivery that changed since the cursor, oldest change first. The cursor advances with each page. Store it for
     * the next call.
     */
    public function catchUp(?string &$cursor): Generator
    {
        do {
            $query = $cursor === null ? '' : '?' . http_build_query(['since' => $cursor]);
            $page = $this->call('GET', "/v1/deliveries$query");
            if ($cursor !== null && $page->code() === 'IMLEC_GECERSIZ') {
                $cursor = null; // Starts again, because the service refuses the cursor.
                continue;
            }
            if ($page->status !== 200) {
                throw new RuntimeException("the list request got $page->status {$page->code()}");
            }
            foreach ($page->body['items'] as $delivery) {
                yield $delivery;
            }
            $cursor = $page->body['next_cursor'] ?? $cursor;
        } while ($page->status !== 200 || $page->body['has_more']);
    }

    private function token(): string
    {
        if ($this->token === null || microtime(true) > $this->tokenExpires) {
            $answer = $this->sendWithRetries('POST', '/oauth/token', [
                'grant_type' => 'client_credentials',
                'client_id' => $this->clientId,
                'client_secret' => $this->clientSecret,
            ]);
            if ($answer->status !== 200) {
                throw new RuntimeException("the token request got $answer->status {$answer->code()}");
            }
            $this->token = $answer->body['access_token'];
            $this->tokenExpires = microtime(true) + $answer->body['expires_in'] - self::RENEWAL_MARGIN_S;
        }
        return $this->token;
    }

    private function sendWithRetries(string $method, string $path, ?array $body, array $headers = []): Answer
    {
        for ($failures = 1; ; $failures++) {
            $answer = $this->send($method, $path, $body, $headers);
            if (!$answer->isTransient() || $failures === self::MAX_ATTEMPTS) {
                return $answer;
            }
            $wait = max(min(2 ** ($failures - 1), self::LONGEST_WAIT_S), $answer->retryAfter);
            usleep((int) ($wait * 1_000_000 * $this->timeScale));
        }
    }

    private function send(string $method, string $path, ?array $body, array $headers): Answer
    {
        $retryAfter = 0;
        curl_reset($this->curl);
        curl_setopt_array($this->curl, [
            CURLOPT_URL => $this->baseUrl . $path,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => self::RESPONSE_TIMEOUT_S,
            CURLOPT_HTTPHEADER => $body === null ? $headers : [...$headers, 'Content-Type: application/json'],
            CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$retryAfter): int {
                if (preg_match('/^retry-after: *(\d+)/i', $line, $seconds)) {
                    $retryAfter = (int) $seconds[1];
                }
                return strlen($line);
            },
        ]);
        if ($body !== null) {
            curl_setopt($this->curl, CURLOPT_POSTFIELDS, json_encode($body, JSON_THROW_ON_ERROR));
        }
        $text = curl_exec($this->curl);
        if ($text === false) {
            return new Answer(0);
        }
        $parsed = json_decode($text, associative: true);
        $status = curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE);
        return new Answer($status, is_array($parsed) ? $parsed : null, $retryAfter);
    }
}
