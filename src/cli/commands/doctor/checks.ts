import type { SystemStatus } from "#api/modules/system/contract.ts";
import { openRunning, operationsOf } from "#cli/client/client.ts";
import type { Composition } from "#cli/composition.ts";
import { faultText } from "#cli/failure.ts";
import { asOwnerOf } from "./as-owner.ts";

/** What one look at the installation found. `remedy` says what to do about a warning or a failure. */
export type Check = {
  name: string;
  state: "ok" | "warn" | "fail";
  detail: string;
  remedy: string | null;
};

/** A check without a problem. */
export const ok = (name: string, detail: string): Check => ({ name, state: "ok", detail, remedy: null });

/** A check that found something to look at; the installation works. */
export const warn = (name: string, detail: string, remedy: string): Check => ({
  name,
  state: "warn",
  detail,
  remedy,
});

/** A check that found something broken. */
export const fail = (name: string, detail: string, remedy: string): Check => ({
  name,
  state: "fail",
  detail,
  remedy,
});

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
    return fail(name, `this user cannot read ${place}`, asOwnerOf(dataDir));
  if (code === "ENOTDIR") return fail(name, `a file blocks the path to ${place}`, "set DATA_DIR to a folder");
  if (code === "EIO")
    return fail(
      name,
      `reading ${place} failed with a disk error`,
      "check the disk; see dmesg for its errors",
    );
  return fail(
    name,
    `could not be checked: ${faultText(error)}`,
    "run this again; if it fails again, create a support bundle: atrium support-bundle",
  );
};

/** What the running server said, or why it did not; `null` when none runs. */
export type AskedStatus = { status: SystemStatus } | { problem: string } | null;

/** Asks the running server over its control socket. */
export const askStatus = async (composition: Composition, isServerRunning: boolean): Promise<AskedStatus> => {
  if (!isServerRunning) return null;
  try {
    const client = await openRunning(composition, null);
    if (client === null) return { problem: "the server stopped in the meantime" };
    return { status: (await operationsOf(client).system.status()).data };
  } catch (error) {
    return { problem: faultText(error) };
  }
};

/** The check that could not be made, as the server did not say. */
export const untold = (name: string, problem: string): Check =>
  warn(
    name,
    `the running server did not respond: ${problem}`,
    "run this command again; see the server's log for details",
  );
