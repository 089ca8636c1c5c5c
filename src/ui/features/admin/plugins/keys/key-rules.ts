import { keyTexts as texts } from "./texts.ts";

// 32 bytes in base64.
const rawKey = /^[A-Za-z0-9+/]{43}=$/;

/** The names in a list with commas. */
export const namesIn = (text: string): string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** What can be said of a key before the server has seen it; white space in it is what a line break made of it. */
export const keyRules = {
  publicKey: (text: string) => (rawKey.test(text.replaceAll(/\s/g, "")) ? null : texts.publicKeyWrong),
  label: (text: string) => (text.trim() === "" ? texts.labelWrong : null),
  names: (text: string) => (namesIn(text).length === 0 ? texts.namesWrong : null),
};
