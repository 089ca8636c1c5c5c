import type { SystemStatus } from "#api/modules/system/contract.ts";
import type { Draft } from "./draft.ts";
import { coreTexts as texts } from "./texts.ts";

type SecurityPath = "security.trustProxy" | "security.helmetEnabled" | "security.corsEnabled";

/** What a switch does at this moment, and what it will do; `after` is `null` while nothing about it waits to be saved. */
export type SwitchHint = { now: string; after: string | null };

type Facts = {
  saved: Draft;
  draft: Draft;
  /** The firewall forces some of them on and locks them all. */
  isManaged: boolean;
  /** `null` while it is not known. */
  status: Partial<Pick<SystemStatus, "cors">> | null;
};

/** Tells of each switch of the core what is in force, which is what was saved or what the firewall forces. */
export const securityHints = ({
  saved,
  draft,
  isManaged,
  status,
}: Facts): Record<SecurityPath, SwitchHint> => {
  const hint = (path: SecurityPath, say: (isOn: boolean) => string, isForced: boolean): SwitchHint => ({
    now: say(isForced || saved[path]),
    after: isManaged || draft[path] === saved[path] ? null : texts.afterSaving(say(draft[path])),
  });
  const origins = status?.cors?.origins ?? null;
  return {
    "security.trustProxy": hint(
      "security.trustProxy",
      (isOn) => (isOn ? texts.trustOn : texts.trustOff),
      isManaged,
    ),
    "security.helmetEnabled": hint(
      "security.helmetEnabled",
      (isOn) => (isOn ? texts.helmetOn : texts.helmetOff),
      false,
    ),
    "security.corsEnabled": hint(
      "security.corsEnabled",
      (isOn) => (isOn ? corsOn(origins) : texts.corsOff),
      isManaged,
    ),
  };
};

// More than these would fill the card.
const mostNamed = 3;

const corsOn = (origins: string[] | null): string => {
  if (origins === null) return texts.corsOn;
  if (origins.length === 0) return texts.corsUnlisted;
  if (origins.length > mostNamed) return texts.corsCounted(origins.length);
  return texts.corsListed(new Intl.ListFormat("en").format(origins));
};
