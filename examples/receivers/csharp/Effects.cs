using System;
using System.Collections.Generic;
using System.Net;
using System.Text;
using System.Threading.Tasks;
using Newtonsoft.Json;

/// <summary>The effects interface, for tests only. Starts the receiver, and reports the effects of events.</summary>
public class Effects : Store
{
    private readonly object gate = new object();
    private readonly Dictionary<string, int> processed = new Dictionary<string, int>();
    private bool failNext;

    protected override bool Apply(string webhookId, Delivery data)
    {
        lock (gate)
        {
            if (failNext)
            {
                failNext = false;
                throw new InvalidOperationException("failing on purpose, because fail-next was requested");
            }
            var changed = base.Apply(webhookId, data);
            if (changed) processed[webhookId] = Processed(webhookId) + 1;
            return changed;
        }
    }

    private int Processed(string webhookId) => processed.TryGetValue(webhookId, out var times) ? times : 0;

    private object EffectOf(string kind, string id)
    {
        var stored = Stored(id);
        lock (gate)
            return kind == "events"
                ? (object)new { processed = Processed(id) }
                : new { version = stored?.Version, status = stored?.Status };
    }

    private void Answer(HttpListenerContext context)
    {
        var path = context.Request.Url.AbsolutePath.Split('/');
        if (context.Request.HttpMethod == "POST")
        {
            lock (gate) failNext = true;
            context.Response.StatusCode = 204;
            context.Response.Close();
            return;
        }
        var body = Encoding.UTF8.GetBytes(JsonConvert.SerializeObject(EffectOf(path[1], path[2])));
        context.Response.ContentType = "application/json";
        context.Response.Close(body, false);
    }

    private async Task ServeEffects()
    {
        var listener = new HttpListener();
        var port = Environment.GetEnvironmentVariable("EFFECTS_PORT") ?? "3001";
        listener.Prefixes.Add($"http://127.0.0.1:{port}/");
        listener.Start();
        Console.WriteLine($"effects on port {port}");
        while (true) Answer(await listener.GetContextAsync());
    }

    public static void Main()
    {
        var effects = new Effects();
        Task.WhenAny(effects.ServeEffects(), new Receiver(effects).Serve()).Unwrap().GetAwaiter().GetResult();
    }
}
