import { describe, expect, test } from "bun:test";
import { allCountries, countryNamer, findCountries } from "./country-picker.tsx";

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
