const rounds = 3;

/** A text without percent signs, `+` and HTML's and JSON's escapes, as often as they were put over each other (three times at most). */
export const decodeText = (text: string): string => {
  let decoded = text;
  for (let round = 0; round < rounds; round += 1) {
    const next = decodeOnce(decoded);
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
};

/** The name of a field as whoever reads it understands it. */
export const decodeName = (name: string): string => decodeText(name).trim();

const decodeOnce = (text: string): string => {
  if (!/[%+\\&]/.test(text)) return text;
  return (
    text
      .replace(/\+/g, " ")
      // What is not ASCII is no part of a name that is looked for: it may stay as it came.
      .replace(/%([0-7][0-9a-f])/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/\\u00([0-7][0-9a-f])/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/&quot;/gi, '"')
  );
};
