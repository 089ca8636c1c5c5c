import { expect, test } from "bun:test";
import { createPartedDocument, DocumentDamaged } from "./stored.ts";
import { createFakeKv } from "./testing/fake-kv.ts";

const long = (seed: string) => Array.from({ length: 5_000 }, (_, index) => `${seed}"\\ü😀${index}`);

test("what is written comes back, however large, and old parts go", async () => {
  const kv = createFakeKv();
  const document = createPartedDocument(kv, "rules");
  expect(await document.read()).toBeNull();
  const first = await document.write(long("a"), 0);
  const parts = kv.values.size;
  expect(parts).toBeGreaterThan(3);
  expect(await document.read()).toEqual({ value: long("a"), version: first });
  await document.write(long("b"), first);
  expect((await document.read())?.value).toEqual(long("b"));
  expect(kv.values.size).toBe(parts);
});

test("of two who write over the same version one is told so, and nothing of theirs stays", async () => {
  const kv = createFakeKv();
  const [one, other] = [createPartedDocument(kv, "rules"), createPartedDocument(kv, "rules")];
  const version = await one.write(["start"], 0);
  await one.write(["one"], version);
  expect(String(await other.write(["other"], version).catch(String))).toContain("CONFLICT");
  expect((await other.read())?.value).toEqual(["one"]);
  expect(kv.values.size).toBe(2);
});

test("a reader whose parts are taken away meanwhile reads the newer ones", async () => {
  const kv = createFakeKv();
  const document = createPartedDocument(kv, "rules");
  const version = await document.write(["old"], 0);
  let isFirst = true;
  const slow = createPartedDocument(
    {
      ...kv,
      get: async (key) => {
        if (isFirst) {
          isFirst = false;
          await document.write(["new"], version);
        }
        return kv.get(key);
      },
    },
    "rules",
  );
  expect((await slow.read())?.value).toEqual(["new"]);
});

test.each([
  ["a head that is none", "rules", "[]"],
  ["a head of no parts", "rules", '{"generation":"x","parts":0,"length":1,"checksum":1}'],
])("F6: %s is damage", async (_what, key, json) => {
  const kv = createFakeKv();
  const document = createPartedDocument(kv, "rules");
  await document.write(["x"], 0);
  kv.values.set(key, { json, version: 9, endsAt: Number.POSITIVE_INFINITY });
  expect(await document.read().catch((error) => error)).toBeInstanceOf(DocumentDamaged);
});

test("F6: a part that was changed, cut or lost is damage", async () => {
  for (const harm of ['"[1]"', '"[1,2,9]"', "7", null]) {
    const kv = createFakeKv();
    const document = createPartedDocument(kv, "rules");
    await document.write([1, 2, 3], 0);
    const part = [...kv.values.keys()].find((key) => key.startsWith("rules:")) ?? "";
    if (harm === null) kv.values.delete(part);
    else kv.values.set(part, { json: harm, version: 1, endsAt: Number.POSITIVE_INFINITY });
    expect(await document.read().catch((error) => error)).toBeInstanceOf(DocumentDamaged);
  }
});
