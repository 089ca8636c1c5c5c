import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { listSnapshots, snapshotPath, snapshotsFolder, surplusOf } from "./snapshot-files.ts";

test("the newest eight are kept, the way back from an upgrade, and the one that was just made", () => {
  const files = Array.from({ length: 12 }, (_, age) => ({
    name: `n${age}`,
    path: `n${age}`,
    madeAt: new Date(1_000_000 - age),
    sizeBytes: 1,
    before: age === 9 || age === 10 ? "2.0.0" : null,
  }));
  const [made] = files.slice(11);
  if (made === undefined) throw new Error("there are twelve");
  expect(surplusOf(files, made).map(({ name }) => name)).toEqual(["n8", "n10"]);
});

test("those from the future go first and are not taken for the newest, also while the clock is behind for a moment", async () => {
  const { path, remove } = makeDataFolder();
  mkdirSync(snapshotsFolder(path));
  const days = (count: number, year: number) =>
    Array.from({ length: count }, (_, at) => `${year}-01-0${count - at}T00-00-00Z`);
  const [ahead, real] = [days(3, 2030), days(8, 2026)];
  for (const name of [...ahead, ...real]) writeFileSync(snapshotPath(path, name), "");
  const at = async (now: string) => {
    const files = await listSnapshots(path, new Date(now));
    const made = files.find(({ name }) => name === real[0]);
    if (made === undefined) throw new Error("it is there");
    return [files.map(({ name }) => name), surplusOf(files, made).map(({ name }) => name)];
  };
  expect(await at("2026-02-01T00:00:00Z")).toEqual([[...real, ...ahead], ahead]);
  for (const name of ahead) rmSync(snapshotPath(path, name));
  const behind = "2020-01-01T00-00-00Z";
  writeFileSync(snapshotPath(path, behind), "");
  expect(await at("2020-01-01T00:00:00Z")).toEqual([[behind, ...real], real.slice(-1)]);
  remove();
});
