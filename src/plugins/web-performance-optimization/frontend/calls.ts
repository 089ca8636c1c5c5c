import { formatMs } from "@atrium/plugin-sdk/ui";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import type {
  CacheState,
  Metric,
  ReportState,
  Summary,
  Switching,
  SwitchName,
  SwitchState,
} from "../backend/wire.ts";

type Api = Pick<WindowApi, "call">;

/** The response of the switches' route. */
type SwitchesData = { switches: SwitchState[]; switchings: Switching[] };

/** Visitors' figures of the last days; `withAdmin` includes the admin area. */
export const loadSummary = async (
  { call }: Api,
  { days, withAdmin }: { days: number; withAdmin: boolean },
): Promise<Summary> => answered(await call("GET", `/summary?days=${days}&admin=${withAdmin}`));

/** The switches and their history. */
export const loadSwitches = async ({ call }: Api): Promise<SwitchesData> =>
  answered(await call("GET", "/switches"));

/** Changes a switch; resolves to a message for the admin. */
export const turnSwitch = async (
  { call }: Api,
  name: SwitchName,
  isOn: boolean,
): Promise<{ message: string }> => answered(await call("PUT", `/switches/${name}`, { isOn }));

/** The last measurement, and the one in progress. */
export const loadReport = async ({ call }: Api): Promise<ReportState> =>
  answered(await call("GET", "/report"));

/** Starts a measurement. */
export const startReport = async ({ call }: Api): Promise<void> => void (await call("POST", "/report"));

/** Stops the running measurement. */
export const cancelReport = async ({ call }: Api): Promise<void> => void (await call("DELETE", "/report"));

/** The response cache of this server. */
export const loadCache = async ({ call }: Api): Promise<CacheState> => answered(await call("GET", "/cache"));

/** Clears the cache, or the responses for a path; resolves to a message for the admin. */
export const purgeCache = async ({ call }: Api, path?: string): Promise<{ message: string }> =>
  answered(await call("POST", "/cache/purge", path === undefined ? {} : { path }));

/** Safe because the plugin's own routes respond in the shapes of `wire.ts`. */
const answered = <T>(json: unknown): T => json as T;

/** A metric's value in the reader's language: seconds from one second on; CLS is a plain number. */
export const formatFigure = (metric: Metric, value: number): string => {
  if (metric === "CLS") return new Intl.NumberFormat(undefined, { maximumFractionDigits: 3 }).format(value);
  if (value < 1_000) return formatMs(value);
  return new Intl.NumberFormat(undefined, { style: "unit", unit: "second", maximumFractionDigits: 2 }).format(
    value / 1_000,
  );
};
