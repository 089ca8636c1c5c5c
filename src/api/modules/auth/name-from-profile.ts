import type { ProviderProfile } from "#api/core/context.ts";
import { nameComplaint } from "#contract/account-rules.ts";
import { limits } from "#contract/limits.ts";

// What the rule for names refuses, and what ends or bends a line.
const unshowable = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]+/gu;

/** A name that the rules for names allow: the provider's, if need be trimmed, else the part of `email` before its `@`. */
export const nameFromProfile = ({ name }: ProviderProfile, email: string): string => {
  const given = name?.trim() ?? "";
  const candidates = [given, tidy(given), tidy(email.slice(0, email.lastIndexOf("@")))];
  return (
    candidates.find((candidate) => nameComplaint(candidate) === null) ?? email.slice(0, limits.nameLength)
  );
};

const tidy = (name: string): string =>
  [
    ...name
      .slice(0, 4 * limits.nameLength)
      .replace(unshowable, " ")
      .replace(/\s+/g, " ")
      .trim(),
  ]
    .slice(0, limits.nameLength)
    .join("")
    .trim();
