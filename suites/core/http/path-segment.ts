/** A text as a segment of a path. The target chooses ids: a lone surrogate can't be sent and becomes U+FFFD. */
export const pathSegment = (text: string): string => encodeURIComponent(text.toWellFormed());

/** The text of a segment; the segment itself if it can't be decoded. */
export function segmentText(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
