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

/** A JPEG of this many bytes. Viewers ignore the padding after the picture's end. */
export function photoOf(bytes: number): { bytes: Uint8Array; mime: PhotoType } {
  const padded = new Uint8Array(bytes);
  padded.set(photo("image/jpeg").bytes);
  return { bytes: padded, mime: "image/jpeg" };
}
