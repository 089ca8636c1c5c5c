import { describe, expect, test } from "bun:test";
import { createVisitNotes, isUnwanted, mustSave } from "./measure-visit.ts";

test.each([
  [{}, false],
  [{ doNotTrack: null }, false],
  [{ doNotTrack: "0", globalPrivacyControl: false }, false],
  [{ doNotTrack: "unspecified" }, false],
  [{ doNotTrack: "1" }, true],
  [{ globalPrivacyControl: true }, true],
])("a visitor who opts out of tracking is not measured: %p, %p", (browser, expected) => {
  expect(isUnwanted(browser)).toBe(expected);
});

test.each([
  [{}, false],
  [{ connection: { effectiveType: "4g" } }, false],
  [{ connection: { effectiveType: "4g", saveData: true } }, true],
  [{ connection: { effectiveType: "3g" } }, true],
  [{ connection: { effectiveType: "2g" } }, true],
  [{ connection: { effectiveType: "slow-2g" } }, true],
])("nothing is fetched ahead on lines that it would slow down: %p, %p", (browser, expected) => {
  expect(mustSave(browser)).toBe(expected);
});

describe("the notes of a visit", () => {
  const lcp = { id: "a", name: "LCP", value: 1_234.56789 } as const;

  test("hold what was measured at the page that was opened, once, until they are taken", () => {
    const notes = createVisitNotes("/", "/about");
    expect(notes.take()).toBeNull();
    notes.value(lcp);
    notes.value({ ...lcp, value: 9_999 });
    notes.value({ id: "b", name: "CLS", value: 0.01 });
    expect(notes.take()).toEqual({
      values: [
        { page: "/", metric: "LCP", value: 1_234.568 },
        { page: "/", metric: "CLS", value: 0.01 },
      ],
      steps: [],
    });
    notes.value(lcp);
    expect(notes.take()).toBeNull();
  });

  test("hold the steps from page to page, beginning where the reader was", () => {
    const notes = createVisitNotes("/", "/about");
    notes.step("/contact");
    notes.step("/contact");
    notes.step("/");
    expect(notes.take()?.steps).toEqual([
      { from: "/about", to: "/contact" },
      { from: "/contact", to: "/" },
    ]);
  });

  test("hold no more than a message may", () => {
    const notes = createVisitNotes("/", "/");
    for (let at = 0; at < 100; at += 1) {
      notes.value({ ...lcp, id: String(at) });
      notes.step(`/${at}`);
    }
    const beacon = notes.take();
    expect([beacon?.values.length, beacon?.steps.length]).toEqual([30, 20]);
  });
});
