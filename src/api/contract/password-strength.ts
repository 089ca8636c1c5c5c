import { passwordComplaint } from "./account-rules.ts";

const labels = ["Very Weak", "Weak", "Fair", "Good", "Strong", "Very Strong"] as const;

type StrengthScore = 0 | 1 | 2 | 3 | 4 | 5;
export type StrengthTone = "destructive" | "warning" | "success";
type PasswordStrength = { score: StrengthScore; label: (typeof labels)[number]; tone: StrengthTone };

const isScore = (value: number): value is StrengthScore => value >= 0 && value <= 5;

/**
 * Scores a password from 0 to 5: a point each for 8 and 12 characters, an uppercase letter, a lowercase
 * letter, a digit and a special character (neither letter nor digit), capped at 5. One that the server refuses
 * (`isRefused`) gets 0. While that is not known (`null`), or of a wrong length, it is never good: it gets 2 at most.
 */
export const passwordStrength = (password: string, isRefused: boolean | null): PasswordStrength => {
  const length = [...password].length;
  const points = [
    length >= 8,
    length >= 12,
    /\p{Lu}/u.test(password),
    /\p{Ll}/u.test(password),
    /\p{Nd}/u.test(password),
    /[^\p{L}\p{Nd}]/u.test(password),
  ].filter(Boolean).length;
  const isSound = isRefused === false && passwordComplaint(password) === null;
  const score = isRefused ? 0 : Math.min(points, isSound ? 5 : 2);
  if (!isScore(score)) throw new RangeError(`strength ${score} is not between 0 and 5`);
  return { score, label: labels[score], tone: toneOf(score) };
};

const toneOf = (score: StrengthScore): StrengthTone => {
  if (score <= 1) return "destructive";
  return score <= 3 ? "warning" : "success";
};

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

// Shorter words are in any password by chance: "al" is no reason to refuse "almond-tree-42".
const shortestWord = 3;

const fold = (text: string): string => text.trim().normalize("NFKC").toLowerCase();
