import { communityPlan, noteTexts } from "../texts.ts";
import type { LicenceFacts, LicenceView } from "../wire.ts";
import type { Licence } from "./read-payload.ts";

const dayMs = 24 * 60 * 60 * 1000;

type LicenseStatus = Pick<LicenceView, "state" | "plan" | "owner" | "licence" | "daysLeft" | "note">;

/** What holds without a licence. */
export const community: LicenseStatus = {
  ...{ state: "community", plan: communityPlan, owner: null, licence: null, daysLeft: null },
  note: noteTexts.community,
};

/** What holds while the stored key does not count. */
export const invalid = (reason: string): LicenseStatus => ({
  ...community,
  state: "invalid",
  note: noteTexts.invalid(reason),
});

/** What a licence is worth at a moment, in ms since 1970. An end is the first instant at which it holds no longer. */
export const statusOf = (licence: Licence, nowMs: number): LicenseStatus => {
  const facts = factsOf(licence);
  const { owner, plan, expiresAt } = licence;
  const { graceEndsAt } = facts;
  const held = { owner, plan, licence: facts };
  if (expiresAt === null || graceEndsAt === null)
    return { ...held, state: "active", daysLeft: null, note: noteTexts.unending };
  const ending = { expiresAt, graceEndsAt };
  if (nowMs < Date.parse(expiresAt))
    return {
      ...held,
      state: "active",
      daysLeft: daysUntil(expiresAt, nowMs),
      note: noteTexts.active(ending),
    };
  if (nowMs < Date.parse(graceEndsAt))
    return {
      ...held,
      state: "grace",
      daysLeft: daysUntil(graceEndsAt, nowMs),
      note: noteTexts.grace(ending),
    };
  return { ...community, state: "expired", licence: facts, note: noteTexts.expired(ending) };
};

const factsOf = (licence: Licence): LicenceFacts => ({
  ...licence,
  graceEndsAt:
    licence.expiresAt === null
      ? null
      : new Date(Date.parse(licence.expiresAt) + licence.graceDays * dayMs).toISOString(),
});

const daysUntil = (iso: string, nowMs: number): number => Math.ceil((Date.parse(iso) - nowMs) / dayMs);
