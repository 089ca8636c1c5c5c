import { dirname } from "node:path";
import { Glob } from "bun";
import { operations } from "#api/operations.ts";

const callForm =
  /\bapi\s*\.(get|post|put|patch|delete)\s*(?:<[^()]*?>)?\(\s*(`[^`]*`|"[^"]*"|[\w$]+(?:\([^()]*\))?)/g;
const clientForm = /\bclient\.(\w+)\.(\w+)\(/g;
const addressForm =
  /(?:const (\w+)(?::[^=]+)? = |const (\w+) = \([^)]*\)(?:: \w+)? =>\s*)(`[^`]*`|"\/api[^"]*")/g;

/**
 * The API calls in the pages' code, as `GET /api/admin/users/:x`: found by reading it, with the addresses that constants and
 * small functions of the same folder make up. Variable parts of a path read `:x`, queries are left out.
 */
export const findPageCalls = async (folder: string): Promise<Set<string>> => {
  const texts = new Map<string, string>();
  for (const file of new Glob("**/*.{ts,tsx}").scanSync(folder))
    if (!file.includes(".test.")) texts.set(file, await Bun.file(`${folder}/${file}`).text());
  const found = new Set<string>();
  for (const [file, text] of texts) {
    // What a folder's files name, those below it may use.
    const above = [...texts].filter(
      ([other]) => dirname(other) === "." || file.startsWith(`${dirname(other)}/`),
    );
    const nearest = above.toSorted(([one], [other]) => one.split("/").length - other.split("/").length);
    const known = new Map([...nearest.flatMap(([, shared]) => addressesIn(shared)), ...addressesIn(text)]);
    for (const [, module, name] of text.matchAll(clientForm)) {
      const called = operations.find(({ id }) => id === `${module}.${name}`);
      if (called !== undefined) found.add(called.operation.endpoint.replace(/:\w+/g, ":x"));
    }
    for (const [, method = "", target = ""] of text.matchAll(callForm)) {
      const path = (resolved(target, known).split("?")[0] ?? "").replace(/(?<=:x):x$/, "");
      if (path.startsWith("/api/")) found.add(`${method.toUpperCase()} ${path}`);
    }
  }
  return found;
};

const addressesIn = (text: string): [string, string][] =>
  [...text.matchAll(addressForm)].map(([, constant, made, address = ""]) => [
    constant ?? made ?? "",
    address,
  ]);

/** The address that an expression stands for; what is not known of it is `:x`. */
const resolved = (expression: string, known: ReadonlyMap<string, string>, depth = 0): string => {
  if (depth > 5) return "";
  if (!/^[`"]/.test(expression)) {
    const name = expression.split("(")[0] ?? "";
    const address = known.get(name);
    return address === undefined ? ":x" : resolved(address, known, depth + 1);
  }
  return expression
    .slice(1, -1)
    .replace(/\$\{([^}]*)\}/g, (_, inner: string) => resolved(inner, known, depth + 1));
};
