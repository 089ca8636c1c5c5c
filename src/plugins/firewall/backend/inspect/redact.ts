import type { Hit } from "../engine/engine-types.ts";
import type { Reason } from "../wire.ts";

// Names of what is nobody's business, wherever it stands, in the languages that forms are written in most.
const secretName =
  /pass|pwd|^pw$|^pin$|pin_?code|secret|token|api-?_?key|authoriz|auth(?!or)|session|sid$|^sid|cookie|credential|otp|^code$|^state$|^key$|signature|csrf|xsrf|jwt|kennwort|contrase|clave$|senha|parola/i;
// What may be a token by its looks: no word of a path or a language is like that. The second: parts of a JWT, however short.
const tokenLike = /[A-Za-z0-9_-]{32,}/g;
const jwt = /\beyJ[\w-]{2,}(?:\.[\w-]*){0,2}/g;
const userInfo = /(\/\/)[^/\s@]{1,200}@/g;
// `password=x`, `"apiKey": "x"`, `<password>x`: what stands beside something in the same text. Bounded, so that time goes by
// the length alone.
const secretPair =
  /((?:pass|pwd|\bpw|\bpin|secret|token|api-?_?key|authoriz|auth(?!or)|session|\bsid|cookie|credential|\botp|signature|csrf|xsrf|jwt|kennwort|contrase|clave|senha|parola)[\w\]-]{0,20}\\?["']?\s{0,3}[=:>]\s{0,3}\\?["']?)[^\s"'&,;<\\]{1,500}/gi;
// Mailed links: what follows such a part of a path is for one person.
const tokenParts = /reset|verif|confirm|activat|invit|unsubscribe|magic|token|recover|one-?time|otp|secret/i;
const hidden = "…";
const mostQuery = 500;
/** A field's name as it may be shown is no longer: characters. */
export const mostName = 64;
/** A path as it may be shown is no longer: characters. */
export const mostPath = 200;

/** Whether values of that name are kept out of whatever is written down, however the name is encoded. */
const isSecretName = (name: string): boolean => secretName.test(decodeName(name));

const hide = (text: string): string =>
  text
    .replace(secretPair, `$1${hidden}`)
    .replace(jwt, hidden)
    .replace(userInfo, `$1${hidden}@`)
    .replace(tokenLike, hidden);

/** Without secrets, whether they stand there as they are or encoded: then it is shown decoded. */
const hideAll = (text: string): string => {
  const decoded = decodeText(text);
  const shown = hide(decoded);
  return shown === decoded ? hide(text) : shown;
};

const clean = (text: string, most: number): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ").slice(0, most);

/** A text without what could be a secret, without control characters, and cut. */
export const redactText = (text: string, most: number): string =>
  clean(hideAll(text.slice(0, most * 2)), most);

/** A path as it may be shown: mailed tokens stand in paths. */
export const redactPath = (path: string): string => {
  const seen = path.slice(0, mostPath * 2);
  const parts = (/%(?:25)*2f/i.test(seen) ? decodeText(seen) : seen).split("/");
  const shown = parts.map((part, at) => {
    const before = decodeText(parts[at - 1] ?? "");
    return part !== "" && tokenParts.test(before) ? hidden : part;
  });
  return redactText(shown.join("/"), mostPath);
};

/** A query as it may be shown: names stay, values do not where the name says that they are secret. */
export const redactQuery = (query: string): string => {
  if (query === "") return "";
  const shown = query
    .slice(0, mostQuery * 2)
    .split(/([&;])/)
    .map((pair) => {
      const at = pair.indexOf("=");
      if (at >= 0 && isSecretName(pair.slice(0, at))) return `${pair.slice(0, at)}=${hidden}`;
      return hideAll(pair);
    });
  return clean(shown.join(""), mostQuery);
};

/** A hit as a reason: what was found is left out of cookies, credentials and passwords. */
export const reasonOfHit = (hit: Hit): Reason => {
  const isSecret = hit.place === "cookie" || isSecretName(hit.name);
  return {
    by: "pattern",
    rule: String(hit.pattern),
    text: `${hit.title} (${hit.category})`,
    score: hit.score,
    place: hit.place,
    name: redactText(hit.name, mostName),
    excerpt: isSecret ? "" : redactText(hit.excerpt, 120),
  };
};

const rounds = 3;

/** A text without percent signs, `+` and HTML's and JSON's escapes, as often as they were put over each other (three times at most). */
const decodeText = (text: string): string => {
  let decoded = text;
  for (let round = 0; round < rounds; round += 1) {
    const next = decodeOnce(decoded);
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
};

/** The name of a field as whoever reads it understands it. */
const decodeName = (name: string): string => decodeText(name).trim();

const decodeOnce = (text: string): string => {
  if (!/[%+\\&]/.test(text)) return text;
  return (
    text
      .replace(/\+/g, " ")
      // What is not ASCII is no part of a name that is looked for: it may stay as it came.
      .replace(/%([0-7][0-9a-f])/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/\\u00([0-7][0-9a-f])/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/&quot;/gi, '"')
  );
};
