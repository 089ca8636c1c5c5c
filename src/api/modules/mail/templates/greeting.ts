const maxLength = 60;

// What mail programs turn into a link, or people into an address. Anyone can register a stranger's address under a
// "name" that advertises. The dots are full stop, one dot leader and the ideographic ones.
const linkLike = /[/\\@:]|www[.\u3002]|[.\u2024\u3002\uff61]\p{L}{2,}|\d[.\u2024\u3002\uff61]\d/iu;
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** `Hello Ada,`, the name cut to 60 characters; without the name when it is empty or could carry a link. */
export const greeting = (name: string): string => {
  const plain = name.replace(invisible, " ").replace(/\s+/g, " ").trim();
  if (plain === "" || linkLike.test(plain) || linkLike.test(plain.normalize("NFKC"))) return "Hello,";
  const characters = [...plain];
  const cut = characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : plain;
  return `Hello ${cut},`;
};
