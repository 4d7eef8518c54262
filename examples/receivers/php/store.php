<?php

declare(strict_types=1);

/**
 * What the sample keeps, in SQLite: the event's id under a unique key, and the delivery, in one transaction. Both or
 * none: an event whose processing failed comes again.
 */
class Store
{
    protected PDO $database;

    public function __construct()
    {
        $file = getenv('EVENTS_DATABASE') ?: 'courier-events.sqlite';
        // Kept from request to request: closing the last connection writes the whole log back.
        $this->database = new PDO("sqlite:$file", options: [PDO::ATTR_PERSISTENT => true]);
        $this->database->exec('PRAGMA journal_mode = WAL');
        $this->database->exec('CREATE TABLE IF NOT EXISTS taken (webhook_id TEXT PRIMARY KEY)');
        $this->database->exec(
            'CREATE TABLE IF NOT EXISTS deliveries
             (id TEXT PRIMARY KEY, version INTEGER NOT NULL, status TEXT NOT NULL)'
        );
    }

    /** Takes an event once; ?array because webhook.test has no data. */
    public function take(string $webhookId, ?array $data): void
    {
        $this->database->beginTransaction();
        try {
            if ($this->run('INSERT OR IGNORE INTO taken VALUES (?)', $webhookId) === 1 && $data !== null) {
                $this->apply($webhookId, $data);
            }
            $this->database->commit();
        } catch (Throwable $error) {
            $this->database->rollBack();
            throw $error;
        }
    }

    /**
     * Only a later version replaces an earlier one: events overtake each other.
     * @return int how many deliveries changed
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
