import { faultText } from "#cli/to-failure.ts";
import { asOwnerOf } from "./as-owner.ts";
import { type Check, fail } from "./check.ts";

/** A part of what is looked at: how it is called when it cannot be looked at, and the look itself, which may throw. */
export type Look = readonly [
  name: string,
  look: () => Check | readonly Check[] | Promise<Check | readonly Check[]>,
];

/**
 * Takes the looks one after the other and never rejects: one that throws is a failed check with the reason and what to do,
 * and the next ones are taken all the same.
 */
export const makeChecks = async (looks: readonly Look[], dataDir: string): Promise<Check[]> => {
  const checks: Check[] = [];
  for (const [name, look] of looks) {
    try {
      checks.push(...[await look()].flat());
    } catch (error) {
      checks.push(unmade(name, { error, dataDir }));
    }
  }
  return checks;
};

const unmade = (name: string, { error, dataDir }: { error: unknown; dataDir: string }): Check => {
  const code: unknown = Reflect.get(Object(error), "code");
  const path: unknown = Reflect.get(Object(error), "path");
  const place = typeof path === "string" ? path : dataDir;
  if (code === "EACCES" || code === "EPERM")
    return fail(name, `this user may not look at ${place}`, asOwnerOf(dataDir));
  if (code === "ENOTDIR") return fail(name, `a file lies in the way to ${place}`, "set DATA_DIR to a folder");
  if (code === "EIO")
    return fail(
      name,
      `${place} cannot be read from the disk`,
      "look after the disk: dmesg says what it reports",
    );
  return fail(
    name,
    `could not be looked at: ${faultText(error)}`,
    "run this again; if it stays so, pass on what this makes: atrium support-bundle",
  );
};
