import { describe, expect, test } from "bun:test";
import { allCountries, changesOf, countryNamer, findCountries, withDraft } from "./countries.ts";

const found = (text: string) => findCountries(allCountries("en"), text).map(({ code }) => code);

describe("the countries to choose from", () => {
  test("are all there once, in the order of their names", () => {
    const countries = allCountries("en");
    expect(new Set(countries.map(({ code }) => code)).size).toBe(249);
    expect(countries.filter(({ code, name }) => code === name)).toEqual([]);
    expect(countries[0]?.name).toBe("Afghanistan");
  });

  test("are found by name without accents or case, and by code", () => {
    expect(found("cote d")).toEqual(["CI"]);
    expect(found(" GERMANY ")).toEqual(["DE"]);
    expect(found("nz")).toContain("NZ");
    expect(found("atlantis")).toEqual([]);
    expect(found("")).toHaveLength(249);
  });

  test("keep a code that nobody knows as it is", () => {
    expect(countryNamer("en")("nonsense")).toBe("nonsense");
  });
});

const saved = { mode: "deny" as const, codes: ["FR", "DE"] };

describe("countries that are not saved yet", () => {
  test("stand over what is saved, and only what differs is sent", () => {
    const draft = { mode: "deny" as const, codes: ["FR", "DE", "NZ"] };
    expect(withDraft(saved, draft)).toEqual(draft);
    expect(changesOf(saved, draft)).toEqual({ codes: ["FR", "DE", "NZ"] });
    expect(withDraft(saved, { mode: "off" })).toEqual({ mode: "off", codes: ["FR", "DE"] });
  });

  test("are no change when they were put back, in whatever order", () => {
    expect(changesOf(saved, { mode: "deny", codes: ["DE", "FR"] })).toEqual({});
    expect(changesOf(saved, {})).toEqual({});
    expect(changesOf(saved, { codes: ["DE", "NZ"] })).toEqual({ codes: ["DE", "NZ"] });
  });
});
