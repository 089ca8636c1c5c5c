import { afterEach, expect, test } from "bun:test";
import { eq, inArray } from "drizzle-orm";
import { recoveryCodes, users } from "#api/db/schema.ts";
import { enableFactor } from "#api/testing/authenticator.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import type { TestClient } from "#api/testing/host.ts";
import { operatorClient } from "#api/testing/host.ts";

const host = await hostForFile({ settings: "stored" });
const path = "/api/auth/settings/accounts";

const set = async (client: TestClient, change: object) => {
  const answer = await client.call("PUT", path, change);
  return answer.ok ? "saved" : (await answer.json()).code;
};
const operate = (change: object) => operatorClient(host).call("PUT", path, change);
afterEach(() => operate({ secondFactor: "optional" }));

const idOf = ({ user }: TestClient) => user?.id ?? "";
/** Since when each of these has time to set up a second factor, as far as that has begun anew. */
const startsOf = async (...clients: TestClient[]) => {
  const rows = await host.db
    .select()
    .from(users)
    .where(inArray(users.id, clients.map(idOf)));
  return clients.map((client) => rows.find(({ id }) => id === idOf(client))?.factorRequiredFrom ?? null);
};

test("an admin requires a second factor only with an own one and recovery codes, whatever way it is changed", async () => {
  const admin = await host.signedIn("admin");
  expect(await set(admin, { secondFactor: "admins" })).toBe("SECOND_FACTOR_FIRST");
  await enableFactor(host, admin);
  await host.db.delete(recoveryCodes).where(eq(recoveryCodes.userId, idOf(admin)));
  expect(await set(admin, { secondFactor: "everyone" })).toBe("SECOND_FACTOR_FIRST");
  expect((await operate({ secondFactor: "admins" })).status).toBe(200);
  // Less is required, or the same: that locks no one out.
  expect([await set(admin, { graceDays: 5 }), await set(admin, { secondFactor: "optional" })]).toEqual([
    "saved",
    "saved",
  ]);
  const { data } = await (await admin.call("GET", "/api/auth/settings/history?limit=1")).json();
  const reverted = await admin.call("POST", `/api/auth/settings/history/${data.changes[0].id}/revert`);
  expect((await reverted.json()).code).toBe("SECOND_FACTOR_FIRST");
});

test("whom it is newly required of has the days of grace from then on, and no one else", async () => {
  const [admin, other, member] = [
    await host.signedIn("admin"),
    await host.signedIn("admin"),
    await host.signedIn("user"),
  ];
  await enableFactor(host, admin);
  const first = host.clock.now();
  expect(await set(admin, { secondFactor: "admins" })).toBe("saved");
  expect(await startsOf(admin, other, member)).toEqual([null, first, null]);
  host.clock.advance(60_000);
  expect(await set(admin, { secondFactor: "everyone" })).toBe("saved");
  expect(await startsOf(admin, other, member)).toEqual([null, first, host.clock.now()]);
});
