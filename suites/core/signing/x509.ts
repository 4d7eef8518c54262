import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A DER value with its tag and length. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const explicit = (number: number, part: Uint8Array) => der(0xa0 + number, part);
const octets = (part: Uint8Array) => der(0x04, part);
const bits = (unused: number, part: Uint8Array) => der(0x03, Buffer.from([unused]), part);
const TRUE = der(0x01, Buffer.from([0xff]));

/** An object identifier, such as 2.5.29.17. */
function identifier(text: string): Buffer {
  const [first = 0, second = 0, ...others] = text.split(".").map(Number);
  const base128 = (number: number): readonly number[] =>
    number < 128 ? [number] : [...base128(number >> 7).map((byte) => byte | 0x80), number & 0x7f];
  return der(0x06, Buffer.from([40 * first + second, ...others.flatMap(base128)]));
}

const ECDSA_WITH_SHA256 = sequence(identifier("1.2.840.10045.4.3.2"));

/** YYMMDDHHMMSSZ, which only represents years before 2050. */
const instant = (ms: number) =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replaceAll(/[-:T]/g, "")}Z`));

const named = (commonName: string) =>
  sequence(der(0x31, sequence(identifier("2.5.4.3"), der(0x0c, Buffer.from(commonName)))));

const extension = (id: string, value: Uint8Array, critical = false) =>
  sequence(identifier(id), ...(critical ? [TRUE] : []), octets(value));

const hostName = (host: string) =>
  isIP(host) ? der(0x87, Buffer.from(ipaddr.parse(host).toByteArray())) : der(0x82, Buffer.from(host));

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** The DER of a public key for a certificate. */
const keyInfo = ({ publicKey }: KeyPair) => publicKey.export({ type: "spki", format: "der" });
const keyId = (pair: KeyPair) => createHash("sha1").update(keyInfo(pair)).digest();

const pem = (certificate: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64").replaceAll(/.{64}(?=.)/g, "$&\n")}\n-----END CERTIFICATE-----\n`;

/** Certificates of version 3 (RFC 5280), with keys on P-256. */
export class Authority {
  readonly #pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly #name: string;
  readonly #validity: Buffer;
  /** Its own certificate, in PEM. */
  readonly certificate: string;

  /** @param validity the validity of all its certificates as Unix times in milliseconds */
  constructor(name: string, validity: { readonly from: number; readonly to: number }) {
    this.#name = name;
    this.#validity = sequence(instant(validity.from), instant(validity.to));
    this.certificate = this.#certify(name, this.#pair, [
      extension("2.5.29.19", sequence(TRUE), true),
      // keyCertSign and cRLSign.
      extension("2.5.29.15", bits(1, Buffer.from([0x06])), true),
    ]);
  }

  /** A server's certificate for these hosts, and its key, in PEM. */
  issue(name: string, hosts: readonly string[]): { readonly cert: string; readonly key: string } {
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const cert = this.#certify(name, pair, [
      extension("2.5.29.19", sequence(), true),
      // digitalSignature.
      extension("2.5.29.15", bits(7, Buffer.from([0x80])), true),
      extension("2.5.29.37", sequence(identifier("1.3.6.1.5.5.7.3.1"))),
      extension("2.5.29.17", sequence(...hosts.map(hostName))),
      extension("2.5.29.35", sequence(der(0x80, keyId(this.#pair)))),
    ]);
    return { cert, key: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
  }

  #certify(name: string, pair: KeyPair, extensions: readonly Uint8Array[]): string {
    // Positive, and without a leading zero.
    const serial = Buffer.concat([Buffer.from([0x40]), randomBytes(15)]);
    const body = sequence(
      explicit(0, der(0x02, Buffer.from([2]))),
      der(0x02, serial),
      ECDSA_WITH_SHA256,
      named(this.#name),
      this.#validity,
      named(name),
      keyInfo(pair),
      explicit(3, sequence(...extensions, extension("2.5.29.14", octets(keyId(pair))))),
    );
    return pem(sequence(body, ECDSA_WITH_SHA256, bits(0, sign("sha256", body, this.#pair.privateKey))));
  }
}
