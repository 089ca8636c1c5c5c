import { type Static, t } from "elysia";
import { dataOf, integer } from "#api/modules/fields.ts";

export const snapshotAnswer = dataOf(
  t.Object({
    name: t.String({ description: "By which `atrium snapshot restore` knows it: when it was made, in UTC" }),
    madeAt: t.String(),
    sizeBytes: integer({ minimum: 0 }),
  }),
);
export type MadeSnapshot = Static<typeof snapshotAnswer>["data"];
