import { contactMessages, mails } from "#api/db/schema.ts";
import { generateKey } from "#api/plugin-host/package/keys.ts";
import { enableFactor } from "#api/testing/authenticator.ts";
import { bundledPlugin } from "#api/testing/bundled-plugin.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { workingConnectionTests } from "#api/testing/fixed-settings.ts";
import { createTestHost, type TestClient } from "#api/testing/host.ts";
import { idleBackup } from "#api/testing/idle-backups.ts";
import { newPerson } from "#api/testing/people.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";

/** An installation with one of everything that commands are about, and the answers of its API to the operator. */
export const createCommandWorld = async () => {
  const host = await createTestHost({
    hasher: createCheapHasher(),
    settings: "stored",
    connectionTests: workingConnectionTests,
    plugins: { bundled: [await bundledPlugin({ name: "deleted" })] },
  });
  const admin = await host.signedIn("admin");
  const person = await host.signedIn("user");
  await enableFactor(host, person);
  const [pending, otherPending] = [newPerson(), newPerson()];
  for (const one of [pending, otherPending]) await host.visitor().call("POST", "/api/auth/register", one);
  const invited = newPerson().email;
  const [message, mail] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
  await addLetters(host.db, { message, mail, at: host.clock.now() });
  for (const version of ["1.0.0", "1.1.0"]) {
    await upload(admin, await notesPackage(version));
    // Which version came before tells the time.
    host.clock.advance(1000);
  }
  const { keyId, publicKey } = generateKey();
  const made = [
    admin.call("PUT", "/api/auth/settings/core", { rateLimiting: { maxRequests: 300 } }),
    admin.call("PUT", "/api/auth/settings/providers/acme", acme),
    admin.call("POST", "/api/admin/plugin-keys", { publicKey, label: "Ada" }),
    admin.call("POST", "/api/admin/invitations", { invitations: [{ email: invited }] }),
    admin.call("POST", "/api/admin/tokens", { name: "ci", scopes: ["plugins:read"] }),
  ];
  for (const answer of await Promise.all(made)) if (!answer.ok) throw new Error(await answer.text());
  const newest = { bytes: await notesPackage("1.2.0") };
  return {
    host,
    admin: admin.user?.email ?? "",
    user: person.user?.email ?? "",
    ...{ pending: pending.email, otherPending: otherPending.email, invited },
    ...{
      message,
      mail,
      keyId,
      otherKey: generateKey().publicKey,
      plugin: "notes",
      provider: "acme",
      backup: idleBackup,
      newest,
    },
    answer: (request: Request) => host.app.handle(request, { via: "socket" }),
    close: host.close,
  };
};

const acme = { issuer: "https://id.acme.example", clientId: "atrium", clientSecret: "secret-of-acme" };

/** What {@link createCommandWorld} makes. */
export type CommandWorld = Awaited<ReturnType<typeof createCommandWorld>>;

const notesPackage = async (version: string): Promise<Uint8Array> =>
  packPlugin({
    name: "notes",
    version,
    manifest: {
      settings: { schema: { type: "object", properties: { greeting: { type: "string" } } } },
    },
  });

const upload = async (admin: TestClient, bytes: Uint8Array): Promise<void> => {
  const form = new FormData();
  form.set("plugin", new File([new Uint8Array(bytes)], "plugin.zip", { type: "application/zip" }));
  const answer = await admin.call("POST", "/api/plugins/upload", form);
  if (!answer.ok) throw new Error(await answer.text());
};

type Letters = { message: string; mail: string; at: Date };
type Db = Awaited<ReturnType<typeof createTestHost>>["db"];

const addLetters = async (db: Db, { message, mail, at }: Letters): Promise<void> => {
  await db.insert(contactMessages).values({
    ...{ id: message, name: "Ada Example", email: "ada@example.test", subject: "Sales", message: "Hello" },
    ...{ ip: "203.0.113.1", idempotencyKey: message, contentHash: "hash", createdAt: at },
  });
  await db.insert(mails).values({
    ...{ id: mail, recipient: "ada@example.test", subject: "Your password was changed" },
    ...{ content: new Uint8Array([1]), status: "dead", createdAt: at },
  });
};
