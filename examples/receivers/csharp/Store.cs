using System.Collections.Generic;

/// <summary>What the sample reads of an event.</summary>
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
/// What the sample keeps, in memory. In yours it is a database, and Take one transaction: the event's id under a unique
/// key, and the delivery written "where version &lt; …". Both or none: an event whose processing failed comes again.
/// </summary>
public class Store
{
    private readonly HashSet<string> taken = new HashSet<string>();
    private readonly Dictionary<string, Delivery> deliveries = new Dictionary<string, Delivery>();

    /// <summary>Takes an event once; a later version alone replaces one: events overtake each other.</summary>
    public void Take(string webhookId, Event received)
    {
        lock (taken)
        {
            if (taken.Contains(webhookId)) return;
            Apply(webhookId, received.Data);
            taken.Add(webhookId);
        }
    }

    /// <returns>Whether anything that is held changed.</returns>
    protected virtual bool Apply(string webhookId, Delivery data)
    {
        if (data == null) return false;
        if (deliveries.TryGetValue(data.Id, out var held) && data.Version < held.Version) return false;
        deliveries[data.Id] = data;
        return true;
    }

    /// <summary>What is held of a delivery; null where nothing is.</summary>
    public Delivery Held(string id)
    {
        lock (taken) return deliveries.TryGetValue(id, out var held) ? held : null;
    }
}
