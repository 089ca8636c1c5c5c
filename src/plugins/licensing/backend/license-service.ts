import type { Ctx, Json } from "#plugins/sdk/types.ts";
import { community, invalid, statusOf } from "./licence/license-status.ts";
import { readPublicKey } from "./licence/public-key.ts";
import { type VerifiedKey, verifyKey } from "./licence/verify-key.ts";
import { issuerKeyTexts, refusalTexts } from "./texts.ts";
import type { LicenceView, PublicStatus } from "./wire.ts";

/** Reads and changes the license of the installation. */
export type LicenseService = {
  /** The public part; at most {@link keptMs} behind a change made on another server. */
  status(): Promise<PublicStatus>;
  /** What admins see, always read from the database. */
  view(): Promise<LicenceView>;
  /** Verifies a key and stores it, replacing the previous one; a `reason` says why it was refused, and nothing has changed. */
  enter(key: string): Promise<{ view: LicenceView } | { reason: string }>;
  /** Deletes the key; `null` when there was none. */
  remove(): Promise<LicenceView | null>;
};

export type LicenseServiceOptions = {
  ctx: Pick<Ctx, "kv" | "settings" | "log">;
  /** Public keys whose licenses are accepted by every installation, raw in base64. */
  issuerKeys: readonly string[];
  /** The time in ms since 1970. */
  now: () => number;
};

const storedAt = "licence";
// Every page of the site requests the status: this limits how often the database is read.
const keptMs = 10_000;

type Known = { verified: VerifiedKey | null; enteredAt: string | null; issuerKeyProblem: string | null };

/** Keeps the license key in the plugin's own storage. */
export const createLicenseService = ({ ctx, issuerKeys, now }: LicenseServiceOptions): LicenseService => {
  let kept: { until: number; known: Promise<Known> } | null = null;
  ctx.settings.onChange(() => {
    kept = null;
  });

  const issuers = async (): Promise<{ keys: CryptoKey[]; problem: string | null }> => {
    const own = ctx.settings.get("issuerKey");
    const extra = typeof own === "string" && own !== "" ? await readPublicKey(own) : null;
    const built = await Promise.all(issuerKeys.map(readPublicKey));
    return {
      keys: [...built, ...(extra === null ? [] : [extra])].flatMap((read) =>
        "key" in read ? [read.key] : [],
      ),
      problem: extra !== null && "problem" in extra ? issuerKeyTexts[extra.problem] : null,
    };
  };

  const read = async (): Promise<Known> => {
    const { keys, problem } = await issuers();
    const stored = asStored(await ctx.kv.get(storedAt));
    return {
      verified: stored === null ? null : await verifyKey(stored.key, keys),
      enteredAt: stored?.enteredAt ?? null,
      issuerKeyProblem: problem,
    };
  };

  const viewOf = ({ verified, enteredAt, issuerKeyProblem }: Known): LicenceView => ({
    ...licenseStatus(verified, now()),
    enteredAt,
    issuerKeyProblem,
  });

  const fresh = (): Promise<Known> => {
    const known = read();
    const mine = { until: now() + keptMs, known };
    kept = mine;
    // A failed read is not kept: the next request tries again.
    known.catch(() => {
      if (kept === mine) kept = null;
    });
    return known;
  };

  return {
    status: async () => {
      const isKept = kept !== null && now() < kept.until && kept.until - now() <= keptMs;
      const { plan, owner, state } = viewOf(await (isKept && kept !== null ? kept.known : fresh()));
      return { plan, owner, state };
    },
    view: async () => viewOf(await fresh()),
    enter: async (text) => {
      const verified = await verifyKey(text, (await issuers()).keys);
      if ("reason" in verified) return verified;
      const { licence } = verified;
      const { state } = statusOf(licence, now());
      if (state === "expired") return { reason: refusalTexts.expired(licence.expiresAt ?? "") };
      if (Date.parse(licence.issuedAt) > now() + clockSlackMs)
        return { reason: refusalTexts.future(licence.issuedAt) };
      const key = text.replace(/\s+/g, "");
      await ctx.kv.set(storedAt, { key, enteredAt: new Date(now()).toISOString() });
      return { view: viewOf(await fresh()) };
    },
    remove: async () => {
      if (!(await ctx.kv.delete(storedAt))) return null;
      return viewOf(await fresh());
    },
  };
};

// The clocks of issuer and server may differ.
const clockSlackMs = 24 * 60 * 60 * 1000;

const licenseStatus = (verified: VerifiedKey | null, nowMs: number) => {
  if (verified === null) return community;
  return "reason" in verified ? invalid(verified.reason) : statusOf(verified.licence, nowMs);
};

/** The stored key, or `null`, also for a value that this version cannot read. */
const asStored = (value: Json | undefined): { key: string; enteredAt: string | null } | null => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { key, enteredAt } = value;
  return typeof key === "string"
    ? { key, enteredAt: typeof enteredAt === "string" ? enteredAt : null }
    : null;
};
