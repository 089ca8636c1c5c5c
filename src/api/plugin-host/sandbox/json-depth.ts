/** Whether JSON is nested more than `most` levels deep; text between quotes does not count. */
export const isDeeperThan = (json: Uint8Array, most: number): boolean => {
  // Each level opens and closes.
  if (json.length < 2 * most) return false;
  let depth = 0;
  let isText = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index];
    if (isText) {
      if (byte === backslash) index += 1;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > most) return true;
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1;
  }
  return false;
};

const quote = 0x22;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
