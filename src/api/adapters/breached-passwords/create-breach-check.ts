import { createHash } from "node:crypto";
import type { Outbound } from "#api/adapters/outbound/create-outbound.ts";
import type { BreachCheck } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import { isInFilter } from "./filter-file.ts";

/** Where ranges of hashes are asked for. Source: https://haveibeenpwned.com/API/v3#PwnedPasswords. */
const rangeAddress = "https://api.pwnedpasswords.com/range/";
const limitMs = 1_500;

type BreachCheckOptions = {
  /** Whether the service may be asked. */
  isOnline: () => boolean;
  outbound: Outbound;
  /** The operator's own file; see {@link isInFilter}. */
  filterPath: string;
  log: Log;
};

/**
 * Looks a new password up among those of data breaches: in the operator's file, where there is one, then at Have I Been Pwned.
 * Five of the 40 digits of its SHA-1 leave the server, and the answer is padded, so that its size tells nothing.
 */
export const createBreachCheck =
  ({ isOnline, outbound, filterPath, log }: BreachCheckOptions): BreachCheck =>
  async (password) => {
    const sha1 = createHash("sha1").update(password).digest();
    const inFile = fromFile(filterPath, sha1, log);
    if (inFile === "breached") return inFile;
    if (!isOnline()) return inFile;
    return fromRange(outbound, sha1.toString("hex").toUpperCase());
  };

const fromFile = (path: string, sha1: Uint8Array, log: Log): "breached" | "clean" | "unknown" => {
  try {
    return isInFilter(path, sha1) === true ? "breached" : "clean";
  } catch (error) {
    log.error("the file of breached passwords can't be read", { path, error: describeError(error) });
    return "unknown";
  }
};

const fromRange = async (outbound: Outbound, hash: string): Promise<"breached" | "clean" | "unknown"> => {
  const [prefix, suffix] = [hash.slice(0, 5), hash.slice(5)];
  try {
    const { status, text } = await outbound({
      url: `${rangeAddress}${prefix}`,
      headers: { "add-padding": "true" },
      signal: AbortSignal.timeout(limitMs),
    });
    if (status !== 200) return "unknown";
    const line = text.split(/\r?\n/).find((row) => row.startsWith(`${suffix}:`));
    // Padding has the count 0.
    return Number(line?.slice(suffix.length + 1) ?? 0) > 0 ? "breached" : "clean";
  } catch {
    // The password passes; the caller records that it could not be checked.
    return "unknown";
  }
};
