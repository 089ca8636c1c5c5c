import type { Scrubber } from "./create-scrubber.ts";

/** A value as JSON can hold it, with every text in it scrubbed; what people or services wrote freely all the more. */
export const scrubValue = (value: unknown, scrub: Scrubber, isFree = false): unknown => {
  if (typeof value === "string") return scrub(value, { isFree });
  if (Array.isArray(value)) return value.map((item) => scrubValue(item, scrub, isFree));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !unwanted.test(name))
      .map(([name, item]) => [scrub(name), scrubValue(item, scrub, isFree || freeNames.test(name))]),
  );
};

// Links of mails are keys to accounts; the others are about visitors and help nobody.
const unwanted = /^(?:link|cookie|authorization|userAgent|user-agent|setCookie)$/i;
const freeNames = /error|reason|message|problem|detail|remedy|stack|cause/i;
