<?php
// The effects interface for the sample, for tests only. Reports the effects of events at /effects, and passes other requests
// to the receiver.
//
//     WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:3000 examples/receivers/php/effects.php

declare(strict_types=1);

require_once __DIR__ . '/store.php';

class WatchedStore extends Store
{
    public function __construct()
    {
        parent::__construct();
        $this->database->exec('CREATE TABLE IF NOT EXISTS effects (webhook_id TEXT)');
        $this->database->exec('CREATE TABLE IF NOT EXISTS failures (pending INTEGER)');
    }

    public function take(string $webhookId, ?array $data): void
    {
        $isNew = $this->count('SELECT 1 FROM processed_events WHERE webhook_id = ?', $webhookId) === 0;
        if ($isNew && $this->run('DELETE FROM failures') > 0) {
            throw new RuntimeException('failing on purpose, because fail-next was requested');
        }
        parent::take($webhookId, $data);
    }

    protected function apply(string $webhookId, array $data): int
    {
        $changed = parent::apply($webhookId, $data);
        return $changed === 0 ? 0 : $this->run('INSERT INTO effects VALUES (?)', $webhookId);
    }

    public function failNext(): void
    {
        $this->run('INSERT INTO failures VALUES (1)');
    }

    public function processed(string $webhookId): array
    {
        return ['processed' => $this->count('SELECT 1 FROM effects WHERE webhook_id = ?', $webhookId)];
    }

    public function stored(string $id): array
    {
        $query = $this->database->prepare('SELECT version, status FROM deliveries WHERE id = ?');
        $query->execute([$id]);
        return $query->fetch(PDO::FETCH_ASSOC) ?: ['version' => null, 'status' => null];
    }

    private function count(string $sql, string $value): int
    {
        $query = $this->database->prepare($sql);
        $query->execute([$value]);
        return count($query->fetchAll());
    }
}

$store = new WatchedStore();
[, $place, $kind, $id] = [...explode('/', $_SERVER['SCRIPT_NAME']), '', '', ''];
if ($place !== 'effects') {
    require __DIR__ . '/receiver.php';
} elseif ($kind === 'fail-next') {
    $store->failNext();
    http_response_code(204);
} else {
    header('content-type: application/json');
    echo json_encode($kind === 'events' ? $store->processed($id) : $store->stored($id));
}
