const mostCharacters = 120;
const around = 20;

/** A piece of a text with a little of what stands around it, at most 120 characters, without control characters. */
export const excerptOf = (text: string, piece: string): string => {
  const at = Math.max(0, text.indexOf(piece));
  const start = Math.max(0, at - around);
  const end = Math.min(text.length, at + piece.length + around, start + mostCharacters);
  return text.slice(start, end).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
};
