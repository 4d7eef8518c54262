import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { textOf } from "../suites/core/json.ts";
import { UsageError } from "./usage-error.ts";

/** Larger than any report. */
const MAX_MEGABYTES = 64;
const MAX_BYTES = MAX_MEGABYTES * 1024 * 1024;

const isMissing = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) === undefined;

/** Reads at most MAX_BYTES, even if the file grows meanwhile. */
function readBounded(descriptor: number): Buffer {
  const bytes = Buffer.alloc(Math.min(fstatSync(descriptor).size, MAX_BYTES));
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    read = readSync(descriptor, bytes, length, bytes.length - length, null);
  return bytes.subarray(0, length);
}

/**
 * Reads a file from an untrusted source. Refuses links, devices and pipes, because reading one may never end,
 * or may read another file.
 * @param advice tells the user what to give instead
 * @throws UsageError
 */
export function readUntrusted(file: string, advice: string): Buffer {
  let descriptor: number | undefined;
  try {
    // The file is opened before it is examined, because otherwise it could be replaced by a link in between.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = fstatSync(descriptor);
    if (!found.isFile()) throw new UsageError(`${file} isn't a regular file: ${advice}`);
    if (found.size > MAX_BYTES) throw new UsageError(`${file} is larger than ${MAX_MEGABYTES} MB: ${advice}`);
    return readBounded(descriptor);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = error instanceof Error && "code" in error ? textOf(error.code) : "unreadable";
    // O_NOFOLLOW makes the system return ELOOP for a link.
    if (code === "ELOOP") throw new UsageError(`${file} isn't a regular file: ${advice}`);
    throw new UsageError(`${file} can't be read (${code}): ${advice}`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Like readUntrusted, but returns undefined for a missing file. */
export const readUntrustedIfExists = (file: string, advice: string): Buffer | undefined =>
  isMissing(file) ? undefined : readUntrusted(file, advice);
