import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { noteActivity } from "#api/core/activity.ts";
import type { Context } from "#api/core/context.ts";
import { apiTokens, users } from "#api/db/schema.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { type LiveStream, readStream } from "#api/testing/live-stream.ts";
import { newTokenClient, type TokenClient } from "#api/testing/token-client.ts";

const host = await hostForFile({ hasher: createCheapHasher() });
const call = { requestId: "test", ip: "local", userAgent: null };
const operator: Context = { ...host.services, ...call, actor: { kind: "operator" } };

const listen = async (client: TokenClient): Promise<LiveStream> => {
  const stream = readStream(await client.call("GET", "/api/admin/activity/stream?type=file_write"));
  await stream.begun();
  return stream;
};

const write = async (action: string): Promise<void> => {
  noteActivity(operator, { type: "file_write", action });
  await host.services.activity.settle();
};

const edit = (id: string, change: Partial<typeof apiTokens.$inferInsert>) =>
  host.db.update(apiTokens).set(change).where(eq(apiTokens.id, id));

describe("A2: the live stream of an API token ends before another row is sent once", () => {
  const actions: [string, (client: TokenClient, ownerId: string) => Promise<unknown>][] = [
    [
      "it is revoked",
      async ({ made }) => {
        const other = await newTokenClient(host);
        expect((await other.call("POST", `/api/admin/tokens/${made.id}/revoke`, {})).status).toBe(200);
      },
    ],
    [
      "another process revoked it, of which no message came",
      ({ made }) => edit(made.id, { revokedAt: new Date() }),
    ],
    ["it runs out", ({ made }) => edit(made.id, { expiresAt: host.clock.now() })],
    [
      "another process removed its owner's rights",
      (_, id) => host.db.update(users).set({ role: "user" }).where(eq(users.id, id)),
    ],
  ];
  for (const [name, happen] of actions)
    test(name, async () => {
      const owner = (await host.signedIn("admin")).user;
      const [client, control] = [await newTokenClient(host, { owner }), await newTokenClient(host)];
      const [stream, goesOn] = [await listen(client), await listen(control)];
      // Repeats of a minute would be counted together.
      const [before, after] = [`Before ${name}`, `After ${name}`];
      await write(before);
      expect(await stream.actions(1)).toEqual([before]);
      await happen(client, owner?.id ?? "");
      await write(after);
      await stream.ended();
      expect(stream.text).not.toContain(after);
      expect(await goesOn.actions(2)).toEqual([before, after]);
      await goesOn.close();
    });
});
