import type { Hit } from "../engine/engine-types.ts";
import type { Reason } from "../wire.ts";

// Names of what is nobody's business, wherever it stands.
const secretName =
  /pass|pwd|secret|token|api-?_?key|authoriz|auth(?!or)|session|sid$|^sid|cookie|credential|otp|^code$|^state$|^key$|signature|csrf|xsrf/i;
// What may be a token by its looks: no word of a path or a language is like that.
const tokenLike = /[A-Za-z0-9_-]{32,}/g;
const hidden = "…";
const mostQuery = 500;
const mostPath = 200;

/** Whether values of that name are kept out of whatever is written down. */
export const isSecretName = (name: string): boolean => secretName.test(name);

/** A text without what could be a token, without control characters, and cut. */
export const redactText = (text: string, most: number): string =>
  text
    .slice(0, most * 2)
    .replace(tokenLike, hidden)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ")
    .slice(0, most);

/** A path as it may be shown: mailed tokens stand in paths. */
export const redactPath = (path: string): string => redactText(path, mostPath);

/** A query as it may be shown: names stay, values do not where the name says that they are secret. */
export const redactQuery = (query: string): string => {
  if (query === "") return "";
  const pairs = query
    .slice(0, mostQuery * 2)
    .split("&")
    .map((pair) => {
      const at = pair.indexOf("=");
      return at >= 0 && isSecretName(pair.slice(0, at)) ? `${pair.slice(0, at)}=${hidden}` : pair;
    });
  return redactText(pairs.join("&"), mostQuery);
};

// `password=x`, `"apiKey": "x"`: what stands beside a find in the same text. Bounded, so that time goes by the length alone.
const secretPair =
  /((?:pass|pwd|secret|token|api-?_?key|authoriz|auth(?!or)|session|cookie|credential|otp|signature)[\w-]{0,20}["']?[=:]\s?["']?)[^\s"'&,;]{1,200}/gi;

/** A hit as a reason: what was found is left out of cookies, credentials and passwords. */
export const reasonOfHit = (hit: Hit): Reason => {
  const isSecret = hit.place === "cookie" || isSecretName(hit.name);
  return {
    by: "pattern",
    rule: String(hit.pattern),
    text: `${hit.title} (${hit.category})`,
    score: hit.score,
    place: hit.place,
    name: redactText(hit.name, 64),
    excerpt: isSecret ? "" : redactText(hit.excerpt.replace(secretPair, `$1${hidden}`), 120),
  };
};
