/** Valid pictures of one pixel, because a target may decode them. */
const base64Pictures = {
  "image/png":
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "image/jpeg":
    "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==",
  "image/webp": "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==",
} as const;

export type PhotoType = keyof typeof base64Pictures;
export const PHOTO_TYPES: readonly PhotoType[] = ["image/jpeg", "image/png", "image/webp"];

export const photo = (mime: PhotoType) => ({
  bytes: new Uint8Array(Buffer.from(base64Pictures[mime], "base64")),
  mime,
});

/**
 * A JPEG of this many bytes. Viewers ignore the padding after the picture's end.
 * @param last the last byte, which distinguishes photos of the same size: a server may store equal photos once
 */
export function photoOf(bytes: number, last = 0): { bytes: Uint8Array; mime: PhotoType } {
  const padded = new Uint8Array(bytes);
  padded.set(photo("image/jpeg").bytes);
  padded[bytes - 1] = last;
  return { bytes: padded, mime: "image/jpeg" };
}
