/** Valid pictures of one pixel, because a target may decode them. */
const base64Pictures = {
  "image/png":
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "image/jpeg":
    "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==",
  "image/webp": "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==",
} as const;

export type PhotoType = keyof typeof base64Pictures;
/** JPEG isn't the first, because a server may serve all photos as JPEG, or as the first one's type. */
export const PHOTO_TYPES: readonly PhotoType[] = ["image/png", "image/jpeg", "image/webp"];

/** The bytes with which files of each type begin, in hexadecimal. */
const BEGINNINGS: Readonly<Record<PhotoType, RegExp>> = {
  "image/png": /^89504e47/,
  "image/jpeg": /^ffd8ff/,
  // RIFF, a length, WEBP
  "image/webp": /^52494646.{8}57454250/,
};

/** The type of a photo by its first bytes; undefined for anything else. */
export const typeOfPhoto = (bytes: Uint8Array): PhotoType | undefined =>
  PHOTO_TYPES.find((type) => BEGINNINGS[type].test(Buffer.from(bytes.subarray(0, 12)).toString("hex")));

export const photo = (mime: PhotoType) => ({
  bytes: new Uint8Array(Buffer.from(base64Pictures[mime], "base64")),
  mime,
});

/** JPEGs of one pixel that is white, light grey or dark grey, so that a target that converts photos doesn't make them equal. */
const distinctJpegs = [
  base64Pictures["image/jpeg"],
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAH/////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==",
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAH/////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AAB//2Q==",
];

/**
 * A JPEG of this many bytes. Viewers ignore the padding after the picture's end.
 * @param index chooses one of three pictures, and is the last byte: a server may store equal photos once
 */
export function photoOf(bytes: number, index = 0): { bytes: Uint8Array; mime: PhotoType } {
  const padded = new Uint8Array(bytes);
  padded.set(Buffer.from(distinctJpegs[index % distinctJpegs.length] ?? "", "base64"));
  padded[bytes - 1] = index;
  return { bytes: padded, mime: "image/jpeg" };
}
