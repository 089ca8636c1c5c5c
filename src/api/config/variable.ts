import { maskUrl } from "./mask-url.ts";

/** The process environment, or a stand-in for it. */
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
