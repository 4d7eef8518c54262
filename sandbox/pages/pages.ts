/** The browser pages: the console and the customer's tracking page. The pages' files are read on demand. */
import { readFile } from "node:fs/promises";
import type { FastifyInstance, FastifyReply } from "fastify";
import { DomainError } from "../../reference-server/errors.ts";

const types: Record<string, string> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** Allows only resources and scripts of this server, and no framing. */
const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
};

/** The console under `/console`. `/` redirects to it. */
export function addConsolePages(app: FastifyInstance): void {
  app.get("/", (_request, reply) => reply.headers(headers).redirect("/console", 302));
  app.get("/console", (_request, reply) => sendFile(reply, "console/index.html"));
  app.get("/console/", (_request, reply) => sendFile(reply, "console/index.html"));
  addFolder(app, "/console/files", "generated/console");
  addFolder(app, "/console/styles", "console/styles");
}

/** The page of `tracking_url`. The page is the same for each key: its script reads the key from the URL. */
export function addTrackingPages(app: FastifyInstance): void {
  app.get("/t/:key", (_request, reply) => sendFile(reply, "tracking/index.html"));
  addFolder(app, "/t/files", "generated/tracking");
  addFolder(app, "/t/styles", "tracking");
  addFolder(app, "/pages/shared", "shared");
  addFolder(app, "/pages/styles", "../../styles");
}

function addFolder(app: FastifyInstance, url: string, folder: string): void {
  app.get<{ Params: { file: string } }>(`${url}/:file`, ({ params }, reply) => {
    if (!/^[a-z-]+\.(css|js|svg)$/.test(params.file)) throw new DomainError("BULUNAMADI");
    return sendFile(reply, `${folder}/${params.file}`);
  });
}

async function sendFile(reply: FastifyReply, name: string): Promise<FastifyReply> {
  const [extension = ""] = name.split(".").slice(-1);
  const bytes = await readFile(new URL(name, import.meta.url)).catch(() => {
    throw new DomainError("BULUNAMADI");
  });
  return reply
    .headers(headers)
    .type(types[extension] ?? "application/octet-stream")
    .send(bytes);
}
