using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Http;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>A response of the service. Status 0 means that the connection broke.</summary>
public class Answer
{
    public int Status { get; set; }
    public JObject Body { get; set; } = new JObject();
    public TimeSpan RetryAfter { get; set; }

    /// <summary>The error code; null if the response has none. The client decides by this code.</summary>
    public string Code => (string)(Body["error"] as JObject)?["code"];

    /// <summary>True if a retry may succeed.</summary>
    public bool IsTransient => Status == 0 || Status == 429 || Status >= 500;
}

/// <summary>A client of the Courier Dispatch Integration Service: the token, retries and catching up.</summary>
public class DispatchClient
{
    private const int MaxAttempts = 12;
    private static readonly TimeSpan LongestWait = TimeSpan.FromSeconds(60);
    /// <summary>Renews a token this long before it expires, so that no request arrives with an expired token.</summary>
    private static readonly TimeSpan RenewalMargin = TimeSpan.FromSeconds(60);

    private readonly HttpClient http = new HttpClient { Timeout = TimeSpan.FromSeconds(60) };
    private readonly SemaphoreSlim renewal = new SemaphoreSlim(1);
    private readonly string baseUrl;
    private readonly object grant;
    private readonly double timeScale;
    private string token;
    private DateTimeOffset tokenExpires;

    /// <param name="timeScale">Factor of all waits; 1 except in tests.</param>
    public DispatchClient(string baseUrl, string clientId, string clientSecret, double timeScale = 1)
    {
        this.baseUrl = baseUrl;
        this.timeScale = timeScale;
        grant = new { grant_type = "client_credentials", client_id = clientId, client_secret = clientSecret };
    }

    /// <summary>Sends a request until a final response. Gets a new token if the token is refused.</summary>
    public async Task<Answer> Call(HttpMethod method, string path, object body = null, string key = null)
    {
        var used = await Token();
        var answer = await SendWithRetries(method, path, body, used, key);
        if (answer.Status != 401) return answer;
        return await SendWithRetries(method, path, body, await Token(refused: used), key);
    }

    /// <summary>Creates a delivery. Store the key with the order, because a retry needs the same key.</summary>
    public Task<Answer> CreateDelivery(object order, string key) =>
        Call(HttpMethod.Post, "/v1/deliveries", order, key);

    /// <summary>Reads every delivery that changed since the cursor, oldest change first. Null starts at the beginning.</summary>
    /// <returns>The cursor for the next call.</returns>
    public async Task<string> CatchUp(string cursor, Action<JObject> take)
    {
        while (true)
        {
            var query = cursor == null ? "" : "?since=" + Uri.EscapeDataString(cursor);
            var page = await Call(HttpMethod.Get, "/v1/deliveries" + query);
            if (cursor != null && page.Code == "IMLEC_GECERSIZ")
            {
                cursor = null; // Starts again, because the service refuses the cursor.
                continue;
            }
            if (page.Status != 200) throw new InvalidOperationException($"the list request got {page.Status} {page.Code}");
            foreach (var delivery in page.Body["items"].Children<JObject>()) take(delivery);
            cursor = (string)page.Body["next_cursor"] ?? cursor;
            if (!(bool)page.Body["has_more"]) return cursor;
        }
    }

    /// <summary>Returns the token that threads share; never the refused token.</summary>
    private async Task<string> Token(string refused = null)
    {
        await renewal.WaitAsync();
        try
        {
            if (token != null && token != refused && DateTimeOffset.UtcNow < tokenExpires) return token;
            var answer = await SendWithRetries(HttpMethod.Post, "/oauth/token", grant);
            if (answer.Status != 200)
                throw new InvalidOperationException($"the token request got {answer.Status} {answer.Code}");
            tokenExpires = DateTimeOffset.UtcNow.AddSeconds((double)answer.Body["expires_in"]) - RenewalMargin;
            return token = (string)answer.Body["access_token"];
        }
        finally
        {
            renewal.Release();
        }
    }

    private async Task<Answer> SendWithRetries(
        HttpMethod method, string path, object body, string bearer = null, string key = null)
    {
        for (var failures = 1; ; failures++)
        {
            var answer = await Send(method, path, body, bearer, key);
            if (!answer.IsTransient || failures == MaxAttempts) return answer;
            var backoff = TimeSpan.FromSeconds(Math.Min(Math.Pow(2, failures - 1), LongestWait.TotalSeconds));
            var wait = backoff > answer.RetryAfter ? backoff : answer.RetryAfter;
            await Task.Delay(TimeSpan.FromSeconds(wait.TotalSeconds * timeScale));
        }
    }

    private async Task<Answer> Send(HttpMethod method, string path, object body, string bearer, string key)
    {
        var request = new HttpRequestMessage(method, baseUrl + path);
        if (bearer != null) request.Headers.Add("Authorization", "Bearer " + bearer);
        if (key != null) request.Headers.Add("Idempotency-Key", key);
        if (body != null)
            request.Content = new StringContent(JsonConvert.SerializeObject(body), Encoding.UTF8, "application/json");
        try
        {
            using (var response = await http.SendAsync(request))
            {
                return new Answer
                {
                    Status = (int)response.StatusCode,
                    Body = Parsed(await response.Content.ReadAsStringAsync()),
                    RetryAfter = response.Headers.RetryAfter?.Delta ?? TimeSpan.Zero,
                };
            }
        }
        catch (Exception broken) when (
            broken is HttpRequestException || broken is IOException || broken is TaskCanceledException)
        {
            return new Answer();
        }
    }

    /// <summary>Returns the parsed object. Empty for any other text, such as a gateway's error page.</summary>
    private static JObject Parsed(string text)
    {
        // No date parsing, because a cursor may look like a date.
        var settings = new JsonSerializerSettings { DateParseHandling = DateParseHandling.None };
        try
        {
            return JsonConvert.DeserializeObject<JObject>(text, settings) ?? new JObject();
        }
        catch (JsonException)
        {
            return new JObject();
        }
    }
}
