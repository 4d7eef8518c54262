/** Speaking to a server by the generated types, for commands that set something up on one. */
import createClient, { type Client } from "openapi-fetch";

/** @param baseUrl of the API whose paths are meant: the service's, or the control interface's */
export function apiClient<Paths extends {}>(baseUrl: string, token: string): Client<Paths> {
  return createClient<Paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
}

/** What was answered. @throws where that was a refusal */
export function bodyOf<Body>({ data, response }: { data?: Body; response: Response }): Body {
  if (data === undefined)
    throw new Error(`${new URL(response.url).pathname} was answered ${response.status}`);
  return data;
}
