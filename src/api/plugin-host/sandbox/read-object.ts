/** A value from a process that may be hostile, as an object whose fields are still to be looked at. */
export const readObject = (value: unknown): Record<string, unknown> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;

/** A text of at most `most` characters. */
export const isText = (value: unknown, most: number): value is string =>
  typeof value === "string" && value.length <= most;

/** A whole number from 0. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** JSON that is no deeper than the reader likes; `null` for what is no JSON. */
export const parseJson = (bytes: Uint8Array): { value: unknown } | null => {
  try {
    return { value: JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()) };
  } catch {
    return null;
  }
};
