import { expect, test } from "bun:test";
import { imagePins, stalePins } from "./run-check.ts";

test("each image from a registry has a fixed version and the day on which it was taken", () => {
  const pins = imagePins();
  expect(pins.map(({ image }) => image.split(/[:@]/)[0])).toEqual([
    ...["node", "gcr.io/distroless/base-debian12"],
    ...["caddy", "postgres", "redis"],
  ]);
  for (const { image, pinnedOn } of pins) {
    // Distroless has no versions: its tags name a Debian release and a user, and are built anew.
    if (image.startsWith("gcr.io/distroless/")) continue;
    expect([image, image]).toEqual([image, expect.stringMatching(/:\d+\.\d+(?:\.\d+)?-/)]);
    expect([image, pinnedOn]).toEqual([image, expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/)]);
    expect(Date.parse(pinnedOn ?? "")).toBeLessThanOrEqual(Date.now());
  }
  for (const name of ["node", "postgres", "redis"])
    expect(pins.find(({ image }) => image.startsWith(`${name}:`))?.image).toMatch(/@sha256:[0-9a-f]{64}$/);
});

test("a pin is stale after 180 days, and not before", () => {
  const pin = { file: "Dockerfile", image: "node:22.23.3", pinnedOn: "2026-01-01" };
  const after = (days: number) => stalePins([pin], new Date(Date.parse("2026-01-01") + days * 86_400_000));
  expect(after(180)).toEqual([]);
  expect(after(181)).toEqual([
    "Dockerfile: node:22.23.3 was pinned 181 days ago. Update it to the newest patch version and today's date",
  ]);
  expect(stalePins([{ ...pin, pinnedOn: null }], new Date())).toEqual([]);
});
