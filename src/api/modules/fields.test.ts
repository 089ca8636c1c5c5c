import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { contactMessages, mails, users } from "#api/db/schema.ts";
import { operations } from "#api/operations.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { factAt, fillActivity } from "#api/testing/fill-activity.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { parseCsv } from "#api/testing/parse-csv.ts";
import {
  activityFields,
  contactFields,
  mailFields,
  searchedNames,
  userFields,
} from "#contract/field-marks.ts";
import { kit } from "./kit.ts";

test("a day is one of the calendar, and one that the database has", () => {
  const days = [
    "2026-12-01",
    "2028-02-29",
    "2026-02-29",
    "2026-02-30",
    "0000-01-01",
    "2026-01-01T00:00:00Z",
    "",
  ];
  const right = days.filter((day) => Value.Check(kit.text({ format: "date" }), day));
  expect(right).toEqual(["2026-12-01", "2028-02-29"]);
});

test("a line has no break, nothing that shows nothing, and something that shows", () => {
  const line = kit.line({ most: 9, description: "A title", error: "Please enter a title" });
  const texts = ["Call Ada", " ❤\ufe0f ", "", " ", "a\nb", "a\u202eb", "\ue000a\ue001", "x".repeat(10)];
  expect(texts.filter((text) => Value.Check(line, text))).toEqual(["Call Ada", " ❤\ufe0f "]);
});

const host = await hostForFile({ hasher: createCheapHasher() });
const admin = await host.signedIn("admin");
const message = { name: "Ada", email: "ada@example.test", subject: "Sales", message: "Hello" };
expect((await host.visitor().call("POST", "/api/contact", message)).status).toBe(201);

/** The lists that admins export, with the fields of one entry as the API answers it. */
const exported = operations.flatMap(({ module, name, operation: { endpoint, access } }) => {
  if (name !== "export" || access !== "admin") return [];
  const one = operations.find(({ id }) => id === `${module}.get`)?.operation.schemas(kit).answer;
  return [{ module, path: endpoint.split(" ")[1] ?? "", fields: Object.keys(one?.properties ?? {}).sort() }];
});

test("there are lists to export", () => {
  expect(exported.map(({ module }) => module)).toEqual(["activity", "contact"]);
});

for (const { module, path, fields } of exported)
  test(`the export of ${module} has each field of an entry, as CSV and as NDJSON`, async () => {
    await host.services.activity.settle();
    const [head = []] = parseCsv(await (await admin.call("GET", `${path}?format=csv`)).text());
    expect([...head].sort()).toEqual(fields);
    const [line = ""] = (await (await admin.call("GET", `${path}?format=ndjson`)).text()).split("\n");
    expect(Object.keys(JSON.parse(line)).sort()).toEqual(fields);
  });

/** One row of each list, with a text of its own in each field that holds text. */
const user = { id: Bun.randomUUIDv7(), name: "Needlename", email: "needlemail@example.test" };
const needleMessage = {
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
  { rows: "messages", path: "/api/admin/contact", fields: contactFields, texts: needleMessage },
  { rows: "mails", path: "/api/admin/mails", fields: mailFields, texts: mail },
  { rows: "activities", path: "/api/admin/activity", fields: activityFields, texts: { ...entry, ...source } },
] as const;

await host.db.insert(users).values({ ...user, emailKey: user.email });
await host.db
  .insert(contactMessages)
  .values({ ...needleMessage, idempotencyKey: "key", contentHash: "hash" });
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
