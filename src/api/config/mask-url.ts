import { decodes } from "./decodes.ts";

const schemePattern = /^[a-z][a-z0-9+.-]*:\/\//i;
const secretParameter = /([?&][^=&]*(?:pass|secret|token|key|auth)[^=&]*=)[^&#]*/gi;
const anyParameter = /([?&](?!sslmode=)[^=&]*=)[^&#]*/gi;

/**
 * A text with the passwords of its URLs replaced by `***`: what stands between the user name and the last `@`, and
 * parameters whose names sound secret. With `isCredential` that is every parameter but `sslmode`, and a text that is not a
 * well-formed URL shows its scheme alone, because a password may stand anywhere in it.
 */
export const maskUrl = (text: string, isCredential: boolean): string => {
  if (!isCredential)
    return text
      .split(/(?=https?:\/\/)/i)
      .map(maskOne)
      .join("");
  return schemePattern.test(text) && URL.canParse(text) && decodes(text)
    ? maskOne(text).replace(anyParameter, "$1***")
    : `${schemePattern.exec(text)?.[0] ?? ""}***`;
};

const maskOne = (text: string): string => {
  const start = text.indexOf("://");
  const at = text.lastIndexOf("@");
  const hasUserInfo = start >= 0 && at > start;
  return (hasUserInfo ? maskUserInfo(text, start + 3, at) : text).replace(secretParameter, "$1***");
};

// A user name without a password is masked too: some services take an API key there.
const maskUserInfo = (text: string, from: number, to: number): string => {
  const [user, ...password] = text.slice(from, to).split(":");
  return `${text.slice(0, from)}${password.length > 0 ? `${user}:***` : "***"}${text.slice(to)}`;
};
