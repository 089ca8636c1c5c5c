import { AppError, validationError } from "#api/core/app-error.ts";
import { fieldTexts } from "#contract/errors.ts";
import { isUnstorable } from "./json-body.ts";

/**
 * Lets a query through that can be read in one way only. `search` is empty or begins with `?`. Throws `BAD_REQUEST`
 * for escapes that are no UTF-8, and a 422 for a field that holds a NUL, that is none of `names` where they are given, or,
 * unless fields `mayRepeat`, is given twice.
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
    // Misspelt, the wish for a dry run would carry the change out.
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
