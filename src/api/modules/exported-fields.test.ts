import { expect, test } from "bun:test";
import { operations } from "#api/operations.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { parseCsv } from "#api/testing/parse-csv.ts";
import { kit } from "./kit.ts";

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
