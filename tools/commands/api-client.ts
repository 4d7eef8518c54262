/** A typed client for commands that create objects on a server. */
import createClient, { type Client } from "openapi-fetch";

/** @param baseUrl the base URL of the service or of the control interface */
export function apiClient<Paths extends {}>(baseUrl: string, token: string): Client<Paths> {
  return createClient<Paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
}

/** The response body. @throws if the request was refused */
export function bodyOf<Body>({ data, response }: { data?: Body; response: Response }): Body {
  if (data === undefined) throw new Error(`${new URL(response.url).pathname} returned ${response.status}`);
  return data;
}
