import { describe, expect, test } from "bun:test";
import { markupAttacks } from "../../../../../tests/fixtures/attacks/markup-attacks.ts";
import { sqlAttacks } from "../../../../../tests/fixtures/attacks/sql-attacks.ts";
import { createEngine } from "./engine.ts";
import { usualOptions } from "./testing/inspect.ts";
import { carriers, oversized } from "./testing/places.ts";

const engine = createEngine(usualOptions);
const payloads = [...sqlAttacks, ...markupAttacks];

describe("F2: an attack is an attack wherever it stands", () => {
  for (const { name, carry } of carriers) {
    test(`F2: ${payloads.length} attacks are found in: ${name}`, () => {
      const missed = payloads.filter((text) => {
        const { isAttack, obstacle } = engine.inspect(carry(text));
        return !isAttack || obstacle !== null;
      });
      expect(missed).toEqual([]);
    });
  }

  for (const { name, carry } of oversized) {
    test(`F2: what is more than is looked through is refused: ${name}`, () => {
      expect(engine.inspect(carry("a harmless text"))).toMatchObject({
        isAttack: true,
        obstacle: "too-large",
      });
    });
  }

  for (const { name, carry } of carriers) {
    test(`a harmless text passes in: ${name}`, () => {
      expect(engine.inspect(carry("Good morning, is the blue one still for sale?"))).toEqual({
        score: 0,
        isAttack: false,
        hits: [],
        obstacle: null,
      });
    });
  }
});
