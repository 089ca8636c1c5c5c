import type { SettingsChange } from "#api/modules/settings/contract.ts";
import { type DeclaredName, declaredSettings } from "#contract/core-settings.ts";
import { durationLabel, type Setting } from "#contract/define-settings.ts";
import { formatCount } from "../format.ts";

/** Words of the history. */
export const historyTexts = {
  title: "Changes",
  loading: "Loading history",
  loadFailed: "The history could not be loaded",
  none: "Nothing was changed yet",
  noneText: "Each saving of settings appears here with what it changed, and can be taken back.",
  sections: { core: "Core settings", credentials: "External services", accounts: "Accounts" },
  by: (who: string) => `by ${who}`,
  reverts: (id: number) => `takes back #${id}`,
  deeds: { set: "Set", replaced: "Replaced", removed: "Removed" },
  before: "before",
  after: "after",
  empty: "empty",
  on: "on",
  off: "off",
  revert: "Revert",
  change: (id: number) => `change #${id}`,
  undo: "Undo",
  cannotSecret: "Only secrets were changed, and those are never kept: they must be entered again.",
  cannotOlder: "Something of it was changed again later; revert that first.",
  ask: (id: number) => `Revert change #${id}?`,
  askText: (secrets: string) =>
    `That takes its endpoint away, and what was entered for it is deleted for good: ${secrets}.`,
  revertAndDelete: "Revert and delete",
  revertFailed: "The change could not be taken back",
  more: "Show older changes",
  shown: (shown: string, total: string) => `${shown} of ${total}`,
} as const;

/** A field as the form names it, by its path in the history. */
export const fieldName = (section: SettingsChange["section"], path: string): string =>
  settingAt(section, path)?.label ?? path;

const settingAt = (section: DeclaredName, path: string): Setting | undefined =>
  declaredSettings[section].settings.find(([own]) => own === path)?.[1];

/** A value of the history as people read it. */
export const changedValue = (
  section: SettingsChange["section"],
  path: string,
  value: string | number | boolean | null,
): string => {
  if (value === null || value === "") return historyTexts.empty;
  if (typeof value === "boolean") return value ? historyTexts.on : historyTexts.off;
  if (typeof value === "string") return value;
  const isDuration = settingAt(section, path)?.kind === "duration";
  return isDuration ? durationLabel(value) : formatCount(value);
};
