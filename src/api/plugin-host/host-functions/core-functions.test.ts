import { expect, test } from "bun:test";
import { createTestClock } from "#api/testing/clock.ts";
import { readManifest } from "#contract/plugin-manifest.ts";
import type { RuleHits } from "#plugins/sdk/types.ts";
import { createGuardFunctions } from "./core-functions.ts";

/** Sets rules of which those are the hits then; resolves to what the plugin's log has. */
const linesAfter = async (hits: RuleHits[]): Promise<string[]> => {
  const read = readManifest({ manifestVersion: 1, name: "ruler", version: "1.0.0", title: "Ruler" });
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const lines: string[] = [];
  const access = { check: () => ({ rules: [] }), save: async () => {}, stats: () => hits };
  const functions = createGuardFunctions(access, { clock: createTestClock() });
  const plugin = {
    ...{
      name: "ruler",
      dataKey: "ruler",
      version: "1.0.0",
      manifest: read.manifest,
      granted: [],
      violated: () => {},
    },
    log: (level: string, message: string) => void lines.push(`${level} ${message}`),
  };
  await functions["guard.setRules"].run({ plugin, permission: null, args: [[]] });
  return lines;
};

test("rules about countries that cannot apply are a line of the plugin's log, once however many there are", async () => {
  const inert: RuleHits = { rule: 0, hits: 0, inert: true };
  expect(await linesAfter([inert, { ...inert, rule: 1 }])).toEqual([
    "warn Country rules have no effect: GEOIP_DB is not set, so IP addresses have no country",
  ]);
  expect(await linesAfter([{ rule: 0, hits: 0 }])).toEqual([]);
});
