<?php

declare(strict_types=1);

/**
 * An SQLite store for the sample. One transaction inserts the event's id under a unique key and writes the delivery. If it
 * fails, the service sends the event again.
 */
class Store
{
    protected PDO $database;

    public function __construct()
    {
        $file = getenv('EVENTS_DATABASE') ?: 'courier-events.sqlite';
        // A persistent connection, because closing the last connection writes the whole write-ahead log back.
        $this->database = new PDO("sqlite:$file", options: [PDO::ATTR_PERSISTENT => true]);
        $this->database->exec('PRAGMA journal_mode = WAL');
        $this->database->exec('CREATE TABLE IF NOT EXISTS processed_events (webhook_id TEXT PRIMARY KEY)');
        $this->database->exec(
            'CREATE TABLE IF NOT EXISTS deliveries
             (id TEXT PRIMARY KEY, version INTEGER NOT NULL, status TEXT NOT NULL)'
        );
    }

    /** Processes an event once. The data is null for webhook.test. */
    public function take(string $webhookId, ?array $data): void
    {
        $this->database->beginTransaction();
        try {
            if ($this->run('INSERT OR IGNORE INTO processed_events VALUES (?)', $webhookId) === 1 && $data !== null) {
                $this->apply($webhookId, $data);
            }
            $this->database->commit();
        } catch (Throwable $error) {
            $this->database->rollBack();
            throw $error;
        }
    }

    /**
     * Only a later version replaces an earlier one, because events can arrive out of order.
     * @return int the number of changed deliveries
     */
    protected function apply(string $webhookId, array $data): int
    {
        return $this->run(
            'INSERT INTO deliveries VALUES (?, ?, ?) ON CONFLICT DO UPDATE
             SET version = excluded.version, status = excluded.status WHERE excluded.version >= version',
            $data['id'],
            (int) $data['version'],
            $data['status'],
        );
    }

    /** Returns the number of rows that changed. */
    protected function run(string $sql, string|int ...$values): int
    {
        $statement = $this->database->prepare($sql);
        $statement->execute($values);
        return $statement->rowCount();
    }
}
