import { AppError, validationError } from "#api/core/app-error.ts";
import { fieldTexts } from "#contract/errors.ts";
import { isUnstorable } from "./body.ts";

/**
 * Checks that a query has only one reading. `search` is empty or begins with `?`. Throws `BAD_REQUEST` for escapes that are
 * not UTF-8, and a 422 for a field that contains a NUL, is not one of `names` where given, or is repeated unless fields
 * `mayRepeat`.
 */
export const checkQuery = (
  search: string,
  { mayRepeat = false, names = null }: { mayRepeat?: boolean; names?: readonly string[] | null } = {},
): void => {
  if (search === "") return;
  const seen = new Set<string>();
  for (const pair of search.slice(1).split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    if (isUnstorable(name)) throw new AppError("BAD_REQUEST");
    const path = name.slice(0, 100);
    // A misspelled dry-run parameter would carry the change out.
    if (names !== null && !names.includes(name))
      throw validationError([{ path, message: fieldTexts.unknown }]);
    if (seen.has(name) && !mayRepeat) throw validationError([{ path, message: fieldTexts.repeated }]);
    if (at >= 0 && isUnstorable(decode(pair.slice(at + 1)))) {
      throw validationError([{ path, message: fieldTexts.unprintable }]);
    }
    seen.add(name);
  }
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (cause) {
    throw new AppError("BAD_REQUEST", undefined, { cause });
  }
};
