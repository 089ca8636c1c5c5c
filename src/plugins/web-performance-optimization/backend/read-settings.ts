import type { Json } from "#plugins/sdk/types.ts";
import { type SwitchName, switchNames } from "./wire.ts";

/** The plugin's settings, as its manifest describes them. */
export type PerformanceSettings = {
  isOn: Record<SwitchName, boolean>;
  /** Whether one of them changes answers. */
  isShaping: boolean;
  /** Share of visits that are measured, in per cent: 0 while nothing is measured. */
  sample: number;
  pageSeconds: number;
  pageStaleSeconds: number;
  callSeconds: number;
  cacheSeconds: number;
  cacheBytes: number;
  /** Paths of calls whose answers are the same for every visitor. */
  sharedCalls: ReadonlySet<string>;
  /** Another text after each purge. */
  lastPurge: string;
};

/** Reads them; what is missing is as the manifest's defaults say, which the host fills in. */
export const readSettings = (all: Readonly<Record<string, Json>>): PerformanceSettings => {
  const numberOf = (name: string, otherwise: number): number => {
    const value = all[name];
    return typeof value === "number" ? value : otherwise;
  };
  const calls = Array.isArray(all.sharedCalls) ? all.sharedCalls : [];
  return {
    isOn: asSwitches(Object.fromEntries(switchNames.map((name) => [name, all[name] === true]))),
    isShaping: switchNames.some((name) => name !== "prefetch" && all[name] === true),
    sample: all.vitals === false ? 0 : numberOf("sampleRate", 100),
    pageSeconds: numberOf("pageSeconds", 60),
    pageStaleSeconds: numberOf("pageStaleSeconds", 300),
    callSeconds: numberOf("callSeconds", 30),
    cacheSeconds: numberOf("cacheSeconds", 60),
    cacheBytes: numberOf("cacheMegabytes", 16) * 1_000_000,
    sharedCalls: new Set(calls.filter((path) => typeof path === "string")),
    lastPurge: typeof all.lastPurge === "string" ? all.lastPurge : "",
  };
};

/** Made of all names, each with a boolean. */
const asSwitches = (switches: Record<string, boolean>): Record<SwitchName, boolean> =>
  switches as Record<SwitchName, boolean>;
