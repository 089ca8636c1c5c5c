/** The process environment, or a substitute for it. */
export type Environment = Record<string, string | undefined>;

/** One variable of the environment: how it is read, what it means when it is absent, and how much of it may be shown. */
export type Variable<T> = {
  readonly name: string;
  /** What a usable value looks like; completes the sentence "expected …". */
  readonly expected: string;
  /** The text as a value, or `undefined` when it is unusable. */
  readonly parse: (text: string) => T | undefined;
  readonly fallback: T;
  /** The default as a person reads it. */
  readonly whenUnset: string;
  /** `all` of a secret is hidden; of a `credential` URL the password, and everything but the scheme when it is malformed. */
  readonly hides: "nothing" | "credential" | "all";
};

/** The text of a variable, or `null` when it is absent or empty. White space around it counts in secrets only. */
export const textOf = (env: Environment, variable: Variable<unknown>): string | null => {
  const raw = env[variable.name] ?? "";
  const text = variable.hides === "all" ? raw : raw.trim();
  return text === "" ? null : text;
};

/** What may be shown of a variable's text: one line, without secrets, at most about 200 characters. */
export const maskValue = (variable: Variable<unknown>, text: string): string => {
  if (variable.hides === "all") return `*** (${Buffer.byteLength(text)} bytes)`;
  return oneLine(maskUrl(text, variable.hides === "credential"));
};

const oneLine = (text: string): string => {
  const visible = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]/gu, "\uFFFD");
  return visible.length > 200 ? `${visible.slice(0, 200)}…` : visible;
};

/** How a variable is read whose value is `null` while it is not set. */
export const optional = <T>(
  parse: (text: string) => T | undefined,
): Pick<Variable<T | null>, "parse" | "fallback"> => ({
  parse,
  fallback: null,
});

const schemePattern = /^[a-z][a-z0-9+.-]*:\/\//i;
const secretParameter = /([?&][^=&]*(?:pass|secret|token|key|auth)[^=&]*=)[^&#]*/gi;
const anyParameter = /([?&](?!sslmode=)[^=&]*=)[^&#]*/gi;

/**
 * A text with the passwords of its URLs replaced by `***`: what stands between the user name and the last `@`, and
 * parameters whose names sound secret. With `isCredential` that is every parameter but `sslmode`, and a text that is not a
 * well-formed URL shows its scheme alone, because a password may stand anywhere in it.
 */
const maskUrl = (text: string, isCredential: boolean): string => {
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

/** Whether every per cent sign in a text begins the code of a byte, and the bytes are UTF-8. */
export const decodes = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    // What `decodeURIComponent` throws says no more than that.
    return false;
  }
};

/** One variable that cannot be used: its name, what it holds with secrets masked, and what is expected instead. */
export type ConfigProblem = { variable: string; value: string; expected: string };

/** Thrown when the environment cannot be used; it carries every problem, and its message has one line for each. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(describeProblem).join("\n"));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** A problem as one line for a person. */
const describeProblem = ({ variable, value, expected }: ConfigProblem): string =>
  `${variable} is ${value === "" ? "empty" : `"${value}"`}; expected ${expected}`;
