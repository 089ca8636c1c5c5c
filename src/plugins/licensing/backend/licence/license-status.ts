import { communityPlan, noteTexts } from "../texts.ts";
import type { LicenceFacts, LicenceView } from "../wire.ts";
import type { Licence } from "./read-payload.ts";

const dayMs = 24 * 60 * 60 * 1000;

type LicenseStatus = Pick<LicenceView, "state" | "plan" | "owner" | "licence" | "daysLeft" | "note">;

/** The status without a license key. */
export const community: LicenseStatus = {
  ...{ state: "community", plan: communityPlan, owner: null, licence: null, daysLeft: null },
  note: noteTexts.community,
};

/** The status while the stored key is not valid. */
export const invalid = (reason: string): LicenseStatus => ({
  ...community,
  state: "invalid",
  note: noteTexts.invalid(reason),
});

/** The status of a license at a moment, in ms since 1970. At `expiresAt` itself it is no longer valid. */
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
