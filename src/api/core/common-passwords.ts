import { limits } from "#contract/limits.ts";

/** Whether a password, in whatever case, stands among the 49,000 most common ones. Source: zxcvbn's dictionary. */
export const isCommonPassword = async (password: string): Promise<boolean> => {
  loading ??= load();
  return (await loading).has(password.toLowerCase());
};

let loading: Promise<ReadonlySet<string>> | null = null;

// Unpacking the dictionary takes some 20 ms: the first new password pays it, not the start.
const load = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].filter((word) => word.length >= limits.passwordMinLength));
};
