import { afterAll, describe, test } from "bun:test";
import { sized } from "#api/testing/size.ts";
import { dataPlaces } from "../driver/databases.ts";
import { loseNothing } from "./kill-under-load.ts";

const kills = sized(6, 200);

describe("X1: kill -9 under load", () => {
  for (const place of dataPlaces().filter(({ name }) => name === "postgres")) {
    afterAll(() => place.close());
    test(
      `${place.name}: ${kills} kills lose nothing acknowledged and leave nothing half done`,
      () => loseNothing(place, { kills, registrations: sized(120, 1_000), readyMs: 3_000 }),
      sized(600_000, 3_600_000),
    );
  }
});
