import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { accentFor, contrast, leastContrast } from "./accent.ts";

const grounds = { light: ["#fcfbf9", "#f4f2ef", "#ffffff"], dark: ["#11100e", "#23211f"] } as const;
const themes = ["light", "dark"] as const;
const steps = Array.from({ length: 8 }, (_, at) => (at * 36).toString(16).padStart(2, "0"));
const colors = steps.flatMap((red) =>
  steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)),
);

test("every color can be read in both themes, as text on the page and under its own text", () => {
  for (const hex of [...colors, "#ffffff", "#ffcc00", "#FF0000"])
    for (const theme of themes) {
      const { color, text } = accentFor(hex, theme);
      expect(color).toMatch(/^#[0-9a-f]{6}$/);
      for (const ground of [...grounds[theme], text])
        expect([hex, theme, color, ground, contrast(color, ground) >= leastContrast]).toEqual([
          ...[hex, theme, color, ground, true],
        ]);
    }
});

test("a color that can be read already stays, another keeps its hue", () => {
  expect(accentFor("#1D4ED8", "light").color).toBe("#1d4ed8");
  expect(accentFor("#ffcc00", "dark").color).toBe("#ffcc00");
  const { color } = accentFor("#ffcc00", "light");
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  expect([red > green, green > blue + 50]).toEqual([true, true]);
});

test("contrast is that of the standard, and the grounds are those of the style sheet", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  const tokens = readFileSync("src/ui/styles/tokens.css", "utf8");
  for (const value of ["0.988 0.003 80", "0.962 0.005 75", "0.172 0.004 75", "0.25 0.005 75"])
    expect(tokens).toContain(`oklch(${value})`);
});
