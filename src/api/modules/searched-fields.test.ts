import { describe, expect, test } from "bun:test";
import { contactMessages, mails, users } from "#api/db/schema.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { factAt, fillActivity } from "#api/testing/fill-activity.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import {
  activityFields,
  contactFields,
  mailFields,
  searchedNames,
  userFields,
} from "#contract/field-marks.ts";

/** One row of each list, with a text of its own in each field that holds text. */
const user = { id: Bun.randomUUIDv7(), name: "Needlename", email: "needlemail@example.test" };
const message = {
  ...{ id: Bun.randomUUIDv7(), name: "Needlewriter", email: "needlewrites@example.test" },
  ...({ subject: "Sales", message: "Needletext", ip: "203.0.113.77", userAgent: "Needleagent" } as const),
};
const mail = {
  ...{ id: Bun.randomUUIDv7(), recipient: "needlegets@example.test", subject: "Needlesubject" },
  ...({ status: "dead", lastError: "Needlefault" } as const),
};
const entry = {
  pluginName: "needle-plugin",
  type: "plugin_hot_reloaded",
  action: "Needleaction",
  description: "Needlewords",
  status: "warning",
  severity: "critical",
  userEmail: "needledid@example.test",
} as const;
const source = {
  ip: "203.0.113.77",
  userAgent: "Needleagent",
  requestId: "5f3a9c1e-77aa-4b1c-8d2e-0123456789ab",
};

const lists = [
  { rows: "users", path: "/api/admin/users", fields: userFields, texts: user },
  { rows: "messages", path: "/api/admin/contact", fields: contactFields, texts: message },
  { rows: "mails", path: "/api/admin/mails", fields: mailFields, texts: mail },
  { rows: "activities", path: "/api/admin/activity", fields: activityFields, texts: { ...entry, ...source } },
] as const;

const host = await hostForFile({ hasher: createCheapHasher() });
const admin = await host.signedIn("admin");
await host.db.insert(users).values({ ...user, emailKey: user.email });
await host.db.insert(contactMessages).values({ ...message, idempotencyKey: "key", contentHash: "hash" });
await host.db.insert(mails).values(mail);
const fact = factAt(host.clock.now(), entry);
await fillActivity(host.services, [{ ...fact, source: { ...fact.source, ...source } }]);

for (const { rows, path, fields, texts } of lists)
  describe(`the search of ${rows}`, () => {
    test("has a text for each field that it looks into", () => {
      expect(Object.keys(texts)).toEqual(expect.arrayContaining(searchedNames(fields)));
    });

    test("finds a row by each of these fields, and by no other", async () => {
      const found = [];
      for (const [name, text] of Object.entries(texts)) {
        const { data } = await (await admin.call("GET", `${path}?search=${encodeURIComponent(text)}`)).json();
        const isFound = data[rows].some((row: Record<string, unknown>) => row[name] === text);
        if (isFound) found.push(name);
      }
      expect(found.sort()).toEqual(searchedNames(fields).sort());
    });
  });
