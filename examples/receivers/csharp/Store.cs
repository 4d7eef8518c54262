using System.Collections.Generic;

/// <summary>The fields of an event that the sample reads.</summary>
public class Event
{
    public string Type { get; set; }

    /// <summary>The full delivery; null for webhook.test.</summary>
    public Delivery Data { get; set; }
}

public class Delivery
{
    public string Id { get; set; }
    public long Version { get; set; }
    public string Status { get; set; }
}

/// <summary>
/// An in-memory store for the sample. In production, use a database, and make Take one transaction that inserts the event's id
/// under a unique key and writes the delivery "where version &lt; …". If it fails, the service sends the event again.
/// </summary>
public class Store
{
    private readonly HashSet<string> processedIds = new HashSet<string>();
    private readonly Dictionary<string, Delivery> deliveries = new Dictionary<string, Delivery>();

    /// <summary>Processes an event once. Only a later version replaces an earlier one, because events can arrive out of order.</summary>
    public void Take(string webhookId, Event received)
    {
        lock (processedIds)
        {
            if (processedIds.Contains(webhookId)) return;
            Apply(webhookId, received.Data);
            processedIds.Add(webhookId);
        }
    }

    /// <returns>True if the stored data changed.</returns>
    protected virtual bool Apply(string webhookId, Delivery data)
    {
        if (data == null) return false;
        if (deliveries.TryGetValue(data.Id, out var stored) && data.Version < stored.Version) return false;
        deliveries[data.Id] = data;
        return true;
    }

    /// <summary>Returns the stored delivery; null if there is none.</summary>
    public Delivery Stored(string id)
    {
        lock (processedIds) return deliveries.TryGetValue(id, out var stored) ? stored : null;
    }
}
