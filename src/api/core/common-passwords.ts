import { limits } from "#contract/limits.ts";

/** Whether a password, in whatever case, stands among the 49,000 most common ones. Source: zxcvbn's dictionary. */
export const isCommonPassword = async (password: string): Promise<boolean> =>
  (await commonPasswords()).has(password.toLowerCase());

/** The most common passwords that are long enough to be chosen, in lower case. */
export const commonPasswords = (): Promise<ReadonlySet<string>> => {
  loading ??= load();
  return loading;
};

let loading: Promise<ReadonlySet<string>> | null = null;

// Unpacking the dictionary takes some 20 ms: the first new password pays it, not the start.
const load = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].filter((word) => word.length >= limits.passwordMinLength));
};
