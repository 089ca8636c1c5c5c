const alphabet = /^[\w+/-]{12,}={0,2}$/;

/** What a value of nothing but base64 says when it says a text; `null` when it does not. */
export const decodeBase64Text = (text: string): string | null => {
  if (text.length < 12 || !alphabet.test(text) || /^[a-z]+$|^\d+$/.test(text)) return null;
  const bytes = Buffer.from(text.replaceAll("-", "+").replaceAll("_", "/"), "base64");
  for (const byte of bytes)
    if (byte > 0x7e || (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13)) return null;
  return bytes.toString("latin1");
};
