/**
 * Encodes a path segment. Ids come from the target, and may contain a lone surrogate, which becomes U+FFFD.
 */
export const pathSegment = (text: string): string => encodeURIComponent(text.toWellFormed());

/** The text of a segment; the segment itself if it can't be decoded. */
export function segmentText(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
