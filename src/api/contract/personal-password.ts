/** Whose password it will be. */
export type PasswordOwner = { name: string; email: string };

/**
 * Whether a password is nothing but its owner's name, address or the product's name with digits and signs around. Of an
 * owner that is not known yet, name and address may be empty.
 */
export const isPersonal = (password: string, { name, email }: PasswordOwner): boolean => {
  const [local = "", domain = ""] = fold(email).split("@");
  const words = [fold(name), fold(email), local, domain, ...productWords]
    .flatMap((word) => [word, word.replace(/[^\p{L}\p{N}]/gu, ""), ...word.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length >= shortestWord)
    .sort((a, b) => b.length - a.length);
  const rest = words.reduce((left, word) => left.replaceAll(word, " "), fold(password));
  return rest !== fold(password) && !/\p{L}/u.test(rest);
};

const productWords = ["atrium"];

// Shorter words stand in any password by chance: "al" is no reason to refuse "almond-tree-42".
const shortestWord = 3;

const fold = (text: string): string => text.trim().normalize("NFKC").toLowerCase();
