import type { Json } from "#plugins/sdk/types.ts";
import manifest from "../plugin.json";
import type { Switches } from "./wire.ts";

/** What holds until an admin sets something else: as the manifest's schema gives it. */
export const defaultSwitches: Switches = {
  masterSwitchEnabled: false,
  developmentModeEnabled: false,
  rateLimitingEnabled: false,
  patternsEnabled: true,
  paranoiaLevel: 1,
  threshold: 5,
  // People share addresses: who has many visitors behind one decides for themselves.
  bansEnabled: false,
  banAfterBlocks: 20,
  banWindowMinutes: 10,
  banMinutes: 15,
  banMostMinutes: 1_440,
};

/** The switches among settings; what is missing or of another kind is as it is by default. */
export const switchesIn = (settings: Readonly<Record<string, Json>>): Switches => {
  const flag = (
    name:
      | "masterSwitchEnabled"
      | "developmentModeEnabled"
      | "rateLimitingEnabled"
      | "patternsEnabled"
      | "bansEnabled",
  ) => (typeof settings[name] === "boolean" ? settings[name] : defaultSwitches[name]);
  const number = (
    name: "threshold" | "banAfterBlocks" | "banWindowMinutes" | "banMinutes" | "banMostMinutes",
  ) => (typeof settings[name] === "number" ? settings[name] : defaultSwitches[name]);
  const paranoia = ([1, 2, 3, 4] as const).find((level) => level === settings.paranoiaLevel);
  return {
    masterSwitchEnabled: flag("masterSwitchEnabled"),
    developmentModeEnabled: flag("developmentModeEnabled"),
    rateLimitingEnabled: flag("rateLimitingEnabled"),
    patternsEnabled: flag("patternsEnabled"),
    paranoiaLevel: paranoia ?? defaultSwitches.paranoiaLevel,
    threshold: number("threshold"),
    bansEnabled: flag("bansEnabled"),
    banAfterBlocks: number("banAfterBlocks"),
    banWindowMinutes: number("banWindowMinutes"),
    banMinutes: number("banMinutes"),
    banMostMinutes: number("banMostMinutes"),
  };
};

/** The number among settings that tells replicas that the change service set something; the form can set it to anything, too. */
export const revisionIn = (settings: Readonly<Record<string, Json>>): number =>
  typeof settings.revision === "number" ? settings.revision : 0;

/** JSON Schema of a part of the switches, as `PUT /config` takes it. */
export const switchesSchema: Json = {
  type: "object",
  properties: manifest.settings.schema.properties,
  additionalProperties: false,
};

/** What the admin area shows of the plugin. */
export const adminPanel = manifest.adminPanel;
