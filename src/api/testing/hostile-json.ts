import { bytesOf } from "./raw-call.ts";

/** A value for a field as it is in the JSON text, with a name for the test's output. */
export type HostileValue = readonly [title: string, json: string];

/** Values that are no text at all. */
export const wrongTypes: readonly HostileValue[] = [
  ["null", "null"],
  ["a number", "7"],
  ["a number beyond all bounds", "1e400"],
  ["a boolean", "true"],
  ["an empty array", "[]"],
  ["an array around the value", '["ada@refused.example"]'],
  ["an empty object", "{}"],
  ["an object that pretends to be text", '{"toString":"x","length":9,"trim":null}'],
  ["an operator of another database", '{"$ne":null}'],
  ["an array in arrays, as deep as allowed", `${"[".repeat(31)}${"]".repeat(31)}`],
];

/** Ends of a text that PostgreSQL cannot store. */
export const unstorableEnds: readonly HostileValue[] = [
  ["NUL", "\\u0000"],
  ["NUL in the middle", "\\u0000x"],
  ["the first half of a pair", "\\ud800"],
  ["the second half of a pair", "\\udc00"],
  ["two halves the wrong way round", "\\udc00\\ud800"],
];

/** Characters that show nothing, break the line, turn the text around them or are none. */
export const unseen: readonly HostileValue[] = [
  ["a right-to-left override", "\\u202e"],
  ["an isolate", "\\u2066"],
  ["an Arabic letter mark", "\\u061c"],
  ["a zero width space", "\\u200b"],
  ["a word joiner", "\\u2060"],
  ["a soft hyphen", "\\u00ad"],
  ["a Hangul filler", "\\u3164"],
  ["an empty Braille pattern", "\\u2800"],
  ["a byte order mark", "\\ufeffx"],
  ["a tag character", "\\udb40\\udc41"],
  ["a private character", "\\ue000"],
  ["a noncharacter", "\\uffff"],
  ["a carriage return and a header", "\\r\\nBcc: all@example.com"],
  ["an escape sequence", "\\u001b[31m"],
  ["a delete", "\\u007f"],
  ["a next line of C1", "\\u0085x"],
  ["a line separator", "\\u2028x"],
];

/** Ends of a text, inside its quotes, that are no UTF-8 or no JSON. */
export const brokenEnds: readonly (readonly [title: string, bytes: readonly number[]])[] = [
  ["a byte that UTF-8 never has", [0xff]],
  ["a lone continuation byte", [0x80]],
  ["an overlong slash", [0xc0, 0xaf]],
  ["an overlong NUL", [0xc0, 0x80]],
  ["half a pair in three bytes", [0xed, 0xa0, 0x80]],
  ["a character cut off", [0xe2, 0x82]],
  ["a character above the last", [0xf5, 0x80, 0x80, 0x80]],
  ["a bare control character", [0x01]],
  ["a bare line feed", [0x0a]],
];

/** The JSON text of `body` with one field's value replaced; `null` leaves the field out. */
export const withField = (body: object, field: string, json: string | null): string => {
  const { [field]: _left, ...rest }: Record<string, unknown> = { ...body };
  const members = Object.entries(rest).map(
    ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  );
  if (json !== null) members.push(`${JSON.stringify(field)}:${json}`);
  return `{${members.join(",")}}`;
};

/** The same with a text field whose text ends in these raw bytes. */
export const withBrokenEnd = (
  body: object,
  field: string,
  bytes: readonly number[],
): Uint8Array<ArrayBuffer> => {
  const text = withField(body, field, JSON.stringify(Reflect.get(body, field)));
  return bytesOf(text.slice(0, -2), bytes, '"}');
};
