import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestHost, type TestClient, type TestHost } from "#app/testing";

let host: TestHost;
let ada: TestClient;
let bob: TestClient;
let admin: TestClient;
beforeAll(async () => {
  host = await createTestHost();
  [ada, bob, admin] = [
    await host.signedIn("user"),
    await host.signedIn("user"),
    await host.signedIn("admin"),
  ];
});
afterAll(() => host.close());

const path = "/api/sample-notes";
const fields = { title: "Call Ada", body: "About the invoice", due: "2026-12-01" };

const create = async (client: TestClient, more: object = {}) => {
  const answer = await client.call("POST", path, { ...fields, ...more });
  expect(answer.status).toBe(201);
  return (await answer.json()).data;
};

const titlesOf = async (client: TestClient, query = "") => {
  const { data } = await (await client.call("GET", `${path}${query}`)).json();
  return data.notes.map(({ title }: { title: string }) => title);
};

test("a note that was created is listed, found, changed and deleted by its member", async () => {
  const { id } = await create(ada);
  await create(ada, { title: "Buy milk" });
  expect(await titlesOf(ada)).toEqual(["Buy milk", "Call Ada"]);
  expect(await titlesOf(ada, "?limit=1&offset=1")).toEqual(["Call Ada"]);
  expect(await titlesOf(ada, "?search=CALL")).toEqual(["Call Ada"]);
  expect(await titlesOf(ada, "?search=%25")).toEqual([]);
  const changed = await ada.call("PUT", `${path}/${id}`, { ...fields, title: "Call Bob" });
  expect((await changed.json()).data).toMatchObject({ ...fields, id, title: "Call Bob" });
  expect((await (await ada.call("GET", `${path}/${id}`)).json()).data.title).toBe("Call Bob");
  expect((await ada.call("DELETE", `${path}/${id}`)).status).toBe(200);
  expect(await titlesOf(ada)).toEqual(["Buy milk"]);
});

test.each([
  ["title", { title: " " }],
  ["title", { title: null }],
  ["title", { title: "Call\nAda" }],
  ["body", { body: "x".repeat(10_001) }],
  ["due", { due: "2026-02-30" }],
])("what is wrong is told at its field: %s", async (field, wrong) => {
  const answer = await ada.call("POST", path, { ...fields, ...wrong });
  expect(answer.status).toBe(422);
  expect((await answer.json()).errors).toMatchObject([{ path: field }]);
});

test("no member reads, changes or deletes another's note", async () => {
  const { id } = await create(ada);
  expect(await titlesOf(bob)).toEqual([]);
  for (const [method, body] of [["GET"], ["PUT", fields], ["DELETE"]] as const)
    expect((await bob.call(method, `${path}/${id}`, body)).status).toBe(404);
  expect((await ada.call("GET", `${path}/${id}`)).status).toBe(200);
});

test("admins list, export and delete all notes, which a plan announces", async () => {
  const { id } = await create(bob, { title: "=1+1" });
  const listed = await (await admin.call("GET", `${path}/all?search=1%2B1`)).json();
  expect(listed.data).toMatchObject({ total: 1, notes: [{ id, member: bob.user?.email }] });
  const file = await (await admin.call("GET", `${path}/export`)).text();
  expect(file).toContain(`${id},${bob.user?.email},'=1+1,`);
  const plan = await (await admin.call("POST", "/api/plan/sampleNotes.removeAny", { id })).json();
  expect(plan.data.changes).toMatchObject([{ action: "Deleted a member's note" }]);
  expect((await bob.call("GET", `${path}/${id}`)).status).toBe(200);
  expect((await admin.call("DELETE", `${path}/all/${id}`)).status).toBe(200);
  expect((await bob.call("GET", `${path}/${id}`)).status).toBe(404);
});

test("the file of a member's data has their notes, and their account takes these with it", async () => {
  const eve = await host.signedIn("user");
  await create(eve, { title: "Only Eve's" });
  const file = await (await eve.call("GET", "/api/account/export")).json();
  expect(file.sampleNotes).toMatchObject([{ ...fields, title: "Only Eve's" }]);
  await admin.call("DELETE", `/api/admin/users/${eve.user?.id}`);
  expect(await (await admin.call("GET", `${path}/all?search=only`)).json()).toMatchObject({
    data: { total: 0 },
  });
});
