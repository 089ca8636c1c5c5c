import type { Services } from "#api/core/context.ts";
import type { SettingFault } from "./stored-settings.ts";

/** Tells of what was found damaged. */
export type FaultReporter = (faults: SettingFault[]) => void;

/** Tells the operator's log and the admins' of each fault once, and again when it comes back. */
export const createFaultReporter = ({
  clock,
  log,
  activity,
}: Pick<Services, "clock" | "log" | "activity">): FaultReporter => {
  let known = new Set<string>();
  return (faults) => {
    for (const { setting, fault } of faults.filter((found) => !known.has(keyOf(found)))) {
      const consequence = setting.includes(".") ? "it counts as not set" : "its defaults hold";
      log.error("a stored setting cannot be used", {
        code: "SETTING_DAMAGED",
        severity: "critical",
        setting,
        fault,
        consequence,
      });
      activity.note({
        entry: {
          type: "suspicious_activity",
          status: "failure",
          severity: "critical",
          action: "Found a stored setting that cannot be used",
          description: `${setting}: ${fault.replaceAll("_", " ")}; ${consequence}`,
        },
        source: { actor: { kind: "system" }, requestId: null, ip: null, userAgent: null },
        at: clock.now(),
      });
    }
    known = new Set(faults.map(keyOf));
  };
};

const keyOf = ({ setting, fault }: SettingFault): string => `${setting} ${fault}`;
