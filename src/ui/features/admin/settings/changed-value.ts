import { windowChoices } from "#contract/core-settings.ts";
import { formatCount } from "../format.ts";
import { historyTexts as texts } from "./history-texts.ts";

/** A value of the history as people read it. */
export const changedValue = (path: string, value: string | number | boolean | null): string => {
  if (value === null || value === "") return texts.empty;
  if (typeof value === "boolean") return value ? texts.on : texts.off;
  if (typeof value === "string") return value;
  const choice = windowChoices.find(({ ms }) => path === "rateLimiting.windowMs" && ms === value);
  return choice?.label ?? formatCount(value);
};
