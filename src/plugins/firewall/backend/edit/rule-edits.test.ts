import { expect, test } from "bun:test";
import { noRules } from "../rules/rules.ts";
import { mostRules } from "../wire/rules.ts";
import { addAddress, exemptionFrom, newAddress, putExemption, putRate, rateFrom } from "./rule-edits.ts";

const address = (number: number) =>
  newAddress(
    { kind: "deny", address: `2001:db8::${number.toString(16)}` },
    { author: "Ada", nowMs: Date.parse("2030-01-01T00:00:00Z") },
  );
const rate = (number: number) => rateFrom({ path: `/${number}` });
const exemption = (number: number) => exemptionFrom({ path: `/${number}` });
const times = <T>(count: number, make: (number: number) => T): T[] =>
  Array.from({ length: count }, (_, number) => make(number));
const full = {
  ...noRules,
  addresses: times(mostRules.addresses, address),
  rates: times(mostRules.rates, rate),
  exemptions: times(mostRules.exemptions, exemption),
};
const nearlyFull = {
  ...full,
  addresses: full.addresses.slice(1),
  rates: full.rates.slice(1),
  exemptions: full.exemptions.slice(1),
};

test.each([
  ["addresses", (rules: typeof full) => addAddress(rules, address(60_000), 0)],
  ["rates", (rules: typeof full) => putRate(rules, rate(60_000))],
  ["exemptions", (rules: typeof full) => putExemption(rules, exemption(60_000))],
] as const)("a list of %s takes as many entries as its limit, and no more", (kind, add) => {
  expect(add(nearlyFull)[kind]).toHaveLength(mostRules[kind]);
  expect(() => add(full)).toThrow(`The limit is ${mostRules[kind]} entries`);
});

test("an entry of a full list can still be changed", () => {
  const { rates } = putRate(full, { ...rate(0), id: full.rates[0]?.id ?? "", max: 7 });
  expect([rates.length, rates[0]?.max]).toEqual([mostRules.rates, 7]);
});
