import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { run } from "#cli/testing/run.ts";

const words = ["passwords", "build-filter"];

/** A data folder that takes any list; `taken` is what came. */
const world = () => {
  const taken: { text: string; atLeast: number }[] = [];
  return {
    taken,
    composition: {
      buildBreachFilter: async (list: AsyncIterable<Uint8Array>, { atLeast }: { atLeast: number }) => {
        const chunks = await Array.fromAsync(list);
        taken.push({ text: Buffer.concat(chunks).toString(), atLeast });
        return { passwords: 2, path: "/data/breached-passwords" };
      },
    },
  };
};

test("makes the filter of a file, and tells how many passwords it holds", async () => {
  const folder = mkdtempSync(join(tmpdir(), "list-"));
  try {
    const file = join(folder, "list.txt");
    writeFileSync(file, "a list");
    const { taken, composition } = world();
    const { code, out } = await run([...words, file, "--at-least", "100"], { composition });
    expect([code, taken]).toEqual([0, [{ text: "a list", atLeast: 100 }]]);
    expect(out).toBe("2 passwords are refused from now on; the filter is /data/breached-passwords\n");
    const asJson = await run([...words, file, "--json"], { composition });
    expect(await fitsSchema("passwords build-filter", asJson.out)).toMatchObject({ passwords: 2 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("makes it of standard input", async () => {
  const { taken, composition } = world();
  const { code } = await run([...words, "-"], { composition, input: "another list" });
  expect([code, taken]).toEqual([0, [{ text: "another list", atLeast: 1 }]]);
});

test("refuses a file that isn't there, an unusable list, a missing installation and a count that is none", async () => {
  const { composition } = world();
  expect((await run([...words, "/nowhere/list.txt"], { composition })).err).toContain("file not found");
  const unusable = Object.assign(new Error("Line 1 is none"), { name: "UnusableListError" });
  const refusing = { buildBreachFilter: () => Promise.reject(unusable) };
  expect((await run([...words, "-"], { composition: refusing, input: "x" })).err).toContain("Line 1 is none");
  expect(
    (await run([...words, "-"], { composition: { ...composition, hasDatabase: () => false } })).code,
  ).toBe(3);
  expect((await run([...words, "-", "--at-least", "many"], { composition })).code).toBe(2);
});

test("--plan reads and changes nothing", async () => {
  const { taken, composition } = world();
  const { code, out } = await run([...words, "-", "--plan"], { composition, input: "a list" });
  expect([code, taken]).toEqual([0, []]);
  expect(out).toStartWith("Would make the filter of breached passwords in ");
});
