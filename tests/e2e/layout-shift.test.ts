import { afterAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { sized } from "#api/testing/size.ts";
import { openLive, settle } from "./live.ts";
import { pageList } from "./page-list.ts";
import { openStage } from "./stage.ts";

// Windows of the next look are open while a test ends: those of a file's stage would be closed.
const stage = await openStage();
afterAll(() => stage.close());

// Long enough for skeletons to be seen, which come in after 200 ms.
const slowAnswerMs = 400;

// A letter's width, when the font that was waited for takes over from its stand-in.
const hairsbreadth = 0.001;

declare global {
  // What moved since the document was opened, and how far; written by the page itself.
  var movements: { value: number; what: string }[] | undefined;
}

const noteMovements = (page: Page) =>
  page.addInitScript(() => {
    const movements: { value: number; what: string }[] = [];
    globalThis.movements = movements;
    const note = (list: PerformanceObserverEntryList) => {
      for (const entry of list.getEntries()) {
        const { value = 0 } = entry.toJSON();
        movements.push({ value, what: JSON.stringify(entry) });
      }
    };
    new PerformanceObserver(note).observe({ type: "layout-shift", buffered: true });
  });

/** What moved while an address was loading, to somebody, in a window of this width. */
const movementsOf = async ({ path, who, width }: (typeof looks)[number]) => {
  const { page, context } = await stage.open(who, { width });
  await noteMovements(page);
  await page.route(/\/api\/|\/assets\/.*\.(?:js|css|woff2)$/, async (route) => {
    await Bun.sleep(route.request().url().includes("/api/") ? slowAnswerMs : slowAnswerMs / 4);
    await route.fallback();
  });
  await openLive(page, `${stage.url}${path}`);
  await page.waitForLoadState("networkidle");
  await settle(page);
  const movements = await page.evaluate(() => globalThis.movements);
  await context.close();
  return movements ?? [];
};

const looks = pageList.flatMap((page, at) => {
  // The small size looks at each page in one width, in turn, so that every kind of page is seen in both.
  const widths = at % 2 === 0 ? [390, 1280] : [1280, 390];
  return widths.slice(0, sized(1, 2)).map((width) => ({ ...page, width }));
});

const begun = new Map<number, ReturnType<typeof movementsOf>>();

const begin = (at: number) => {
  const look = looks[at];
  if (look === undefined) return [];
  const found = begun.get(at) ?? movementsOf(look);
  // Its own test tells why one failed that began before.
  found.catch(() => {});
  begun.set(at, found);
  return found;
};

describe("nothing moves before the reader's eyes", () => {
  for (const [at, { name, width }] of looks.entries())
    test(`${name} stays still while it loads at ${width} px`, async () => {
      const found = begin(at);
      // Most of a look is waiting: the next one begins meanwhile.
      void begin(at + 1);
      const movements = await found;
      const far = movements.filter(({ value }) => value >= hairsbreadth);
      expect(far.map(({ what }) => what)).toEqual([]);
      expect(movements.reduce((sum, { value }) => sum + value, 0)).toBeLessThan(hairsbreadth);
    });
});
