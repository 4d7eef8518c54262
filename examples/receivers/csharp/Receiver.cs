using System;
using System.Collections.Specialized;
using System.IO;
using System.Linq;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using Newtonsoft.Json;

/// <summary>
/// A webhook receiver with .NET's HttpListener and Newtonsoft.Json. It reads PORT and WEBHOOK_SECRET from the environment.
/// <code>
/// mcs -langversion:latest -r:Newtonsoft.Json.dll -main:Receiver -out:receiver.exe examples/receivers/csharp/*.cs
/// mono receiver.exe
/// </code>
/// </summary>
public class Receiver
{
    private const long ToleranceS = 300;

    private readonly byte[] key = KeyFrom(Environment.GetEnvironmentVariable("WEBHOOK_SECRET") ?? "");
    private readonly Store store;

    public Receiver(Store store)
    {
        this.store = store;
    }

    /// <summary>Returns the key: the secret without its prefix, decoded. Fails without a secret: never use an empty key.</summary>
    private static byte[] KeyFrom(string secret)
    {
        const string prefix = "whsec_";
        if (secret.StartsWith(prefix, StringComparison.Ordinal) && secret.Length > prefix.Length)
            return Convert.FromBase64String(secret.Substring(prefix.Length));
        throw new InvalidOperationException("set WEBHOOK_SECRET to the secret of the subscription (whsec_...)");
    }

    /// <summary>Returns the status of the error response, or null for a genuine event. The body has the raw bytes.</summary>
    private int? Refusal(NameValueCollection headers, byte[] body)
    {
        var id = headers["webhook-id"];
        var timestamp = headers["webhook-timestamp"];
        var signatures = headers["webhook-signature"];
        if (string.IsNullOrEmpty(id) || string.IsNullOrEmpty(signatures)) return 400;
        if (!Regex.IsMatch(timestamp ?? "", @"\A[0-9]{1,15}\z")) return 400;
        if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(timestamp)) > ToleranceS) return 400;
        using (var mac = new HMACSHA256(key))
        {
            var signed = Encoding.UTF8.GetBytes($"{id}.{timestamp}.").Concat(body).ToArray();
            var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(mac.ComputeHash(signed)));
            var given = signatures.Split(' ').Select(one => Encoding.UTF8.GetBytes(one));
            return given.Any(one => CryptographicOperations.FixedTimeEquals(one, expected)) ? (int?)null : 401;
        }
    }

    private int Take(HttpListenerRequest request)
    {
        if (request.HttpMethod != "POST" || request.Url.AbsolutePath != "/hooks") return 404;
        var body = new MemoryStream();
        request.InputStream.CopyTo(body);
        var refusal = Refusal(request.Headers, body.ToArray());
        if (refusal.HasValue) return refusal.Value;
        var text = Encoding.UTF8.GetString(body.ToArray());
        store.Take(request.Headers["webhook-id"], JsonConvert.DeserializeObject<Event>(text));
        return 204;
    }

    private void Answer(HttpListenerContext context)
    {
        try
        {
            context.Response.StatusCode = Take(context.Request);
        }
        catch (Exception error) // The service sends the event again.
        {
            Console.Error.WriteLine($"not processed: {error.Message}");
            context.Response.StatusCode = 500;
        }
        context.Response.Close();
    }

    public async Task Serve()
    {
        var listener = new HttpListener();
        var port = Environment.GetEnvironmentVariable("PORT") ?? "3000";
        listener.Prefixes.Add($"http://127.0.0.1:{port}/");
        listener.Start();
        Console.WriteLine($"listening on port {port}");
        while (true)
        {
            var context = await listener.GetContextAsync();
            _ = Task.Run(() => Answer(context));
        }
    }

    public static void Main() => new Receiver(new Store()).Serve().GetAwaiter().GetResult();
}
