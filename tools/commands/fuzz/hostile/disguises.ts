const base64 = (text: string) => Buffer.from(text).toString("base64");
const bytes = (secret: string, write: (hex: string) => string) =>
  Buffer.from(secret).toString("hex").replace(/../g, write);

/** A secret in the encodings that error pages, logs and mails use. */
export const disguises = (secret: string): readonly string[] => [
  secret,
  secret.replaceAll("/", "\\/"),
  encodeURIComponent(secret),
  secret.toUpperCase(),
  secret.toLowerCase(),
  bytes(secret, (hex) => hex),
  bytes(secret, (hex) => `${hex.toUpperCase()} `).trimEnd(),
  bytes(secret, (hex) => `\\x${hex}`),
  bytes(secret, (hex) => `\\${Number.parseInt(hex, 16).toString(8).padStart(3, "0")}`),
  bytes(secret, (hex) => `=${hex.toUpperCase()}`),
  bytes(secret, (hex) => `&#x${hex};`),
  secret.replaceAll(/\W|_/g, (one) => `&#${one.charCodeAt(0)};`),
  Buffer.from(secret).toString("base64url"),
  base64(base64(secret)),
];
