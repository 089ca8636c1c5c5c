import { expect, test } from "bun:test";
import { noRules } from "../rules/rules.ts";
import { defaultSwitches } from "../switches.ts";
import { isRisky, type State } from "./exposure.ts";

const before: State = { rules: noRules, switches: { ...defaultSwitches, masterSwitchEnabled: true } };
const after: State = { ...before, rules: { ...noRules, countries: { mode: "allow", codes: ["FR"] } } };

test("F4: rules about countries can shut somebody out as soon as countries are known, and not before", () => {
  expect([isRisky(before, after, true), isRisky(before, after, false)]).toEqual([true, false]);
});
