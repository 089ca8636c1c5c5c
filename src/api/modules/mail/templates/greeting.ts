const maxLength = 60;

// What mail programs turn into a link. Anyone can register a stranger's address under a "name" that advertises.
const linkLike = /[/\\@]|www\.|\.\p{L}{2,}/iu;
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** `Hello Ada,`, the name cut to 60 characters; without the name when it is empty or could carry a link. */
export const greeting = (name: string): string => {
  const plain = name.replace(invisible, " ").replace(/\s+/g, " ").trim();
  if (plain === "" || linkLike.test(plain)) return "Hello,";
  const characters = [...plain];
  const cut = characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : plain;
  return `Hello ${cut},`;
};
