/**
 * A text as a segment of a path. An id is the target's to choose: half of a surrogate pair, which nothing can send, stands
 * as U+FFFD.
 */
export const pathSegment = (text: string): string => encodeURIComponent(text.toWellFormed());

/** The text that a segment stands for; the segment itself where it stands for none. */
export function segmentText(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
