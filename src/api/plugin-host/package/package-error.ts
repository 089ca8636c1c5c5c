import type { FieldError } from "#contract/errors.ts";
import { packageTexts } from "#contract/plugin-texts.ts";

/** Why a package, or a key for packages, can't be used: a stable code for each reason. */
export type PackageErrorCode = keyof typeof packageTexts;

/**
 * An unusable package or key. `message` is readable: the code's sentence, with what it is about. `problems` list what
 * to fix in a manifest.
 */
export class PackageError extends Error {
  readonly code: PackageErrorCode;
  readonly problems: FieldError[];

  constructor(
    code: PackageErrorCode,
    { about, problems = [], cause }: { about?: string; problems?: FieldError[]; cause?: unknown } = {},
  ) {
    const shown = about === undefined ? "" : ` (${shorten(about)})`;
    super(`${packageTexts[code]}${shown}`, { cause });
    this.name = "PackageError";
    this.code = code;
    this.problems = problems;
  }
}

// Names in a hostile package can contain anything, at any length.
const shorten = (about: string): string => {
  const shown = about.replace(/[^\x20-\x7e]/g, "?");
  return shown.length > 80 ? `${shown.slice(0, 79)}…` : shown;
};
