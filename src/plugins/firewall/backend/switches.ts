import type { Json } from "#plugins/sdk/types.ts";
import manifest from "../plugin.json";
import type { Paranoia } from "./engine/engine-types.ts";
import { type Shape, shape } from "./wire/shape.ts";

/** What admins switch and set; kept in the plugin's settings. Times are minutes where the name says so. */
export type Switches = {
  /** Off: requests pass as if there were no firewall. */
  masterSwitchEnabled: boolean;
  /** What addresses, countries and patterns would block passes, and is written down; rates and bans still refuse. */
  developmentModeEnabled: boolean;
  /** The firewall counts calls, and the core does not. */
  rateLimitingEnabled: boolean;
  /** Whether attack patterns are looked for. */
  patternsEnabled: boolean;
  paranoiaLevel: Paranoia;
  /** Anomaly score from which a request counts as an attack: 1 to 100. */
  threshold: number;
  /** Whether who is blocked again and again is banned. */
  bansEnabled: boolean;
  /** So many blocks... */
  banAfterBlocks: number;
  /** ...within so many minutes... */
  banWindowMinutes: number;
  /** ...are a ban of so many minutes, twice as many each further time... */
  banMinutes: number;
  /** ...up to so many. */
  banMostMinutes: number;
};

const { revision: _revision, ...described } = manifest.settings.schema.properties;

/** What holds until an admin sets something else: as the manifest's schema gives it, which has each of {@link Switches}. */
export const defaultSwitches = Object.fromEntries(
  Object.entries(described).map(([name, { default: usual }]) => [name, usual]),
) as Switches;

/** The switches among settings; what is missing or of another kind is as it is by default. */
export const switchesIn = (settings: Readonly<Record<string, Json>>): Switches => {
  const said = Object.entries(defaultSwitches).map(([name, usual]) => {
    const value = settings[name];
    return [name, typeof value === typeof usual ? value : usual] as const;
  });
  const paranoia = ([1, 2, 3, 4] as const).find((level) => level === settings.paranoiaLevel);
  return {
    ...defaultSwitches,
    ...Object.fromEntries(said),
    paranoiaLevel: paranoia ?? defaultSwitches.paranoiaLevel,
  };
};

/** The number among settings that tells replicas that the change service set something; the form can set it to anything, too. */
export const revisionIn = (settings: Readonly<Record<string, Json>>): number =>
  typeof settings.revision === "number" ? settings.revision : 0;

/** JSON Schema of a part of the switches, with `revision` or without, as `PUT /config` takes it. */
export const switchesInput = shape<Partial<Switches> & { revision?: number }>({
  type: "object",
  properties: manifest.settings.schema.properties,
  additionalProperties: false,
});

/** What the manifest's schema says of each switch. */
export const switchShapes: { [name in keyof Switches]: Shape<Switches[name]> } = described;

/** What the admin area shows of the plugin. */
export const adminPanel = manifest.adminPanel;
