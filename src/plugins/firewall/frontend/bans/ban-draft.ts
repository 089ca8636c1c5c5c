import type { Switches } from "../../backend/wire.ts";
import { wholeNumberComplaint } from "../parts/rule-values.ts";
import { banTexts as texts } from "../rule-texts.ts";

/** The numbers that decide about bans. */
const banNumbers = ["banAfterBlocks", "banWindowMinutes", "banMinutes", "banMostMinutes"] as const;
export type BanNumber = (typeof banNumbers)[number];

/** What was typed and is not saved. */
export type BanDraft = Partial<Record<BanNumber, string>>;

const bounds: Record<BanNumber, readonly [number, number]> = {
  banAfterBlocks: [2, 1_000],
  banWindowMinutes: [1, 1_440],
  banMinutes: [1, 10_080],
  banMostMinutes: [1, 43_200],
};

/** What stands in each field. */
export const banTyped = (saved: Switches, draft: BanDraft): Record<BanNumber, string> => ({
  banAfterBlocks: draft.banAfterBlocks ?? String(saved.banAfterBlocks),
  banWindowMinutes: draft.banWindowMinutes ?? String(saved.banWindowMinutes),
  banMinutes: draft.banMinutes ?? String(saved.banMinutes),
  banMostMinutes: draft.banMostMinutes ?? String(saved.banMostMinutes),
});

/** Complaints by field; empty when all of it can be saved. */
export const banComplaints = (typed: Record<BanNumber, string>): Partial<Record<BanNumber, string>> => {
  const complaints: Partial<Record<BanNumber, string>> = {};
  for (const name of banNumbers) {
    const complaint = wholeNumberComplaint(typed[name], bounds[name]);
    if (complaint !== null) complaints[name] = complaint;
  }
  if (Number(typed.banMostMinutes) < Number(typed.banMinutes))
    complaints.banMostMinutes ??= texts.mostTooShort;
  return complaints;
};

/** The numbers that differ from what is saved. */
export const banChanges = (saved: Switches, typed: Record<BanNumber, string>): Partial<Switches> =>
  Object.fromEntries(
    banNumbers
      .filter((name) => typed[name].trim() !== String(saved[name]))
      .map((name) => [name, Number(typed[name])]),
  );
