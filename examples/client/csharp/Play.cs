using System;
using System.Collections.Generic;
using System.Globalization;
using System.Net.Http;
using System.Threading.Tasks;

/// <summary>
/// A short example of a point of sale: links a restaurant, creates deliveries and catches up. With Mono and Newtonsoft.Json:
/// <code>
/// mcs -langversion:latest -r:System.Net.Http.dll -r:Newtonsoft.Json.dll -out:play.exe examples/client/csharp/*.cs
/// npm run client -- -- mono play.exe
/// </code>
/// </summary>
public static class Play
{
    private const int Orders = 20;
    private const string Store = "csharp-1";

    /// <summary>Every fifth customer's address could not be found on the map, so it has no coordinates.</summary>
    private static object AnOrder(int number)
    {
        var dropoff = new Dictionary<string, object> { ["text"] = $"Moda Caddesi {number}, Kadıköy" };
        if (number % 5 > 0)
        {
            dropoff["lat"] = 41.0092;
            dropoff["lng"] = 28.9794;
        }
        return new
        {
            external_ref = $"csharp-{number}",
            store = new { external_store_id = Store },
            customer = new { name = $"Müşteri {number}", phone = "0532 123 45 67" },
            dropoff,
            payment = new { type = "NAKIT", amount_due = 249.9m },
            ready_at = DateTimeOffset.Now.AddMinutes(20),
        };
    }

    private static async Task Day()
    {
        Func<string, string> given = Environment.GetEnvironmentVariable;
        var timeScale = double.Parse(given("TIME_SCALE") ?? "1", CultureInfo.InvariantCulture);
        var client = new DispatchClient(given("BASE_URL"), given("CLIENT_ID"), given("CLIENT_SECRET"), timeScale);

        await client.Call(HttpMethod.Post, "/v1/stores", new
        {
            external_store_id = Store,
            pairing_code = given("PAIRING_CODE"),
            name = "Moda Mutfak",
            address = new { text = "Moda Caddesi 10, Kadıköy", lat = 41.0082, lng = 28.9784 },
        });

        for (var number = 1; number <= Orders; number++)
        {
            var answer = await client.CreateDelivery(AnOrder(number), Guid.NewGuid().ToString());
            // Staff must handle a refused order. Continue with the next order.
            if (answer.Status != 201 && answer.Status != 200)
                Console.WriteLine($"order {number}: {answer.Status} {answer.Code}");
        }

        var changes = 0;
        await client.CatchUp(null, delivery => changes++);
        Console.WriteLine($"{changes} changes read");
    }

    public static void Main() => Day().GetAwaiter().GetResult();
}
