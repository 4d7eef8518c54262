import { invalidField, Refusal } from "./answers.ts";
import { instantOf, isRecord } from "./formats.ts";

/** Reads a body's fields. Null counts as absent, types aren't converted, and unknown fields are refused. */
export class BodyReader {
  readonly #source: Record<string, unknown>;
  readonly #path: string;

  constructor(source: unknown, path = "") {
    if (!isRecord(source)) throw invalidField(path || "/", "nesne bekleniyor");
    this.#source = source;
    this.#path = path;
  }

  static ofBytes(raw: Buffer): BodyReader {
    if (raw.length === 0) return new BodyReader({});
    let parsed: unknown;
    try {
      parsed = JSON.parse(raw.toString("utf8"));
    } catch {
      throw new Refusal(400, "JSON_BOZUK");
    }
    return new BodyReader(parsed);
  }

  invalid(name: string, why: string): Refusal {
    return invalidField(`${this.#path}/${name}`, why);
  }

  only(names: string): this {
    const known = names.split(" ");
    const unknown = this.names().find((name) => !known.includes(name));
    if (unknown !== undefined) throw this.invalid(unknown, "bilinmeyen alan");
    return this;
  }

  names(): string[] {
    return Object.keys(this.#source);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#source, name);
  }

  #value(name: string): unknown {
    return this.has(name) ? (this.#source[name] ?? undefined) : undefined;
  }

  required<T>(name: string, value: T | undefined): T {
    if (value === undefined) throw this.invalid(name, "zorunlu alan");
    return value;
  }

  text(name: string, longest = 4000): string | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (typeof value !== "string") throw this.invalid(name, "metin bekleniyor");
    if (value.length > longest) throw this.invalid(name, `en çok ${longest} karakter`);
    return value;
  }

  /** A required text that isn't blank. */
  word(name: string, longest?: number): string {
    const value = this.required(name, this.text(name, longest));
    if (value.trim() === "") throw this.invalid(name, "boş olamaz");
    return value;
  }

  digits(name: string, longest: number): string | undefined {
    const value = this.text(name, longest);
    if (value !== undefined && !/^\d+$/.test(value)) throw this.invalid(name, "yalnız rakam");
    return value;
  }

  number(name: string, least = Number.NEGATIVE_INFINITY): number | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (typeof value !== "number" || !Number.isFinite(value)) throw this.invalid(name, "sayı bekleniyor");
    if (value < least) throw this.invalid(name, `en az ${least}`);
    return value;
  }

  integer(name: string, least: number, most: number): number | undefined {
    const value = this.number(name, least);
    if (value === undefined) return undefined;
    if (!Number.isInteger(value) || value > most) throw this.invalid(name, `${least}-${most} arası tam sayı`);
    return value;
  }

  flag(name: string): boolean | undefined {
    const value = this.#value(name);
    if (value === undefined || typeof value === "boolean") return value;
    throw this.invalid(name, "true veya false");
  }

  instant(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const instant = instantOf(value);
    if (instant === undefined) throw this.invalid(name, "saat dilimi içeren bir zaman bekleniyor");
    return instant;
  }

  /** A nested object. A missing object is read as empty. */
  part(name: string): BodyReader {
    return new BodyReader(this.#value(name) ?? {}, `${this.#path}/${name}`);
  }

  list(name: string, most: number): unknown[] | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) throw this.invalid(name, "dizi bekleniyor");
    if (value.length > most) throw this.invalid(name, `en çok ${most} öğe`);
    return value;
  }

  parts(name: string, most: number): BodyReader[] | undefined {
    return this.list(name, most)?.map((item, at) => new BodyReader(item, `${this.#path}/${name}/${at}`));
  }
}
