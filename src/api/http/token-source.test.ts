import { afterAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { apiTokens, users } from "#api/db/schema.ts";
import type { TokenFault } from "#api/door/exchange.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import { createTokenSource } from "./credentials.ts";

const host = await hostForFile({ hasher: createCheapHasher() });
// As if others used the database, too, of whose changes no message comes.
const database = { ...host.services.database, kind: "postgres" as const };
const source = createTokenSource({ ...host.services, database });
afterAll(async () => {
  source.stop();
});

const edit = (id: string, change: Partial<typeof apiTokens.$inferInsert>) =>
  host.db.update(apiTokens).set(change).where(eq(apiTokens.id, id));
const editOwner = (id: string, change: Partial<typeof users.$inferInsert>) =>
  host.db.update(users).set(change).where(eq(users.id, id));

const silentChanges: [string, TokenFault, (id: string, ownerId: string) => Promise<unknown>][] = [
  ["revoked", "revoked", (id) => edit(id, { revokedAt: new Date() })],
  ["ended earlier", "expired", (id) => edit(id, { expiresAt: new Date(0) })],
  ["kept to other networks", "network", (id) => edit(id, { allowedNetworks: ["203.0.113.1"] })],
  ["removed", "unknown", (id) => host.db.delete(apiTokens).where(eq(apiTokens.id, id))],
  ["of a disabled user", "owner", (_, id) => editOwner(id, { disabledAt: new Date() })],
  ["of a user with another role", "owner", (_, id) => editOwner(id, { role: "user" })],
  ["of a deleted user", "unknown", (_, id) => host.db.delete(users).where(eq(users.id, id))],
];

describe("A2: a remembered API token is refused at the next look once another process had it", () => {
  for (const [name, fault, change] of silentChanges)
    test(name, async () => {
      const owner = (await host.signedIn("admin")).user;
      const [one, other] = [await newTokenClient(host, { owner }), await newTokenClient(host)];
      const judge = async ({ made }: typeof one) => {
        const call = { token: made.token, ip: "192.0.2.1", requestId: "r" };
        const verdict = await source.judge(call);
        return "fault" in verdict ? verdict.fault : "good";
      };
      for (let turn = 0; turn < 2; turn += 1)
        expect(await Promise.all([judge(one), judge(other)])).toEqual(["good", "good"]);
      await change(one.made.id, owner?.id ?? "");
      expect(await Promise.all([judge(one), judge(other)])).toEqual([fault, "good"]);
    });
});
