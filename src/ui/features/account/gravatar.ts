const sizePx = 200;

/**
 * Address of the picture that belongs to an e-mail address at Gravatar, a drawn pattern where there is none: the
 * SHA-256 of the trimmed, lower-case address. `null` where the browser offers no hashing
 * (pages served over plain http from another machine).
 */
export const gravatarUrl = async (email: string): Promise<string | null> => {
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (subtle === undefined) return null;
  const bytes = new TextEncoder().encode(email.trim().toLowerCase());
  const hash = new Uint8Array(await subtle.digest("SHA-256", bytes)).toHex();
  return `https://www.gravatar.com/avatar/${hash}?s=${sizePx}&d=identicon`;
};
