/**
 * How ordinary API clients name themselves. A target that tells the suite from a client by what it says of itself could
 * behave for the suite alone; so requests say what those of the clients that there are say, one after the other.
 */
const ORDINARY = [
  "axios/1.12.2",
  "python-requests/2.32.5",
  "okhttp/4.12.0",
  "GuzzleHttp/7",
  "Go-http-client/1.1",
  "Apache-HttpClient/5.5 (Java/21.0.8)",
  "node",
  "RestSharp/112.1.0.0",
  "Faraday v2.13.4",
  "Dart/3.9 (dart:io)",
] as const;

let next = 0;

/** Another one each time, in turn. */
export function ordinaryUserAgent(): string {
  const agent = ORDINARY[next % ORDINARY.length] ?? ORDINARY[0];
  next += 1;
  return agent;
}
