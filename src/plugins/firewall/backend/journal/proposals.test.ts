import { describe, expect, test } from "bun:test";
import { allPatterns } from "../engine/patterns/all-patterns.ts";
import { admin, member } from "../testing/fake-ctx.ts";
import { type StartedPlugin, startPlugin } from "../testing/started-plugin.ts";
import type { Reason } from "../wire.ts";
import { proposalsOf, type Stopped } from "./proposals.ts";

const contact = {
  ...{ method: "POST", path: "/api/contact", route: "/api/contact", body: "attack" },
  headers: { cookie: "session=x" },
};
const ourPage = { cookie: "session=x", "sec-fetch-site": "same-origin" };
const started = async () => {
  const plugin = await startPlugin();
  await plugin.call("POST", "/on");
  return plugin;
};
const proposals = async (plugin: StartedPlugin) =>
  Object(Object((await plugin.call("GET", "/proposals")).json).data).proposals;

describe("the firewall proposes exemptions", () => {
  test("of the fields in which patterns stopped what signed-in users sent, and visitors teach it nothing", async () => {
    const plugin = await started();
    await plugin.pass(contact);
    expect(await proposals(plugin)).toEqual([]);
    await plugin.pass({ ...contact, user: member });
    const { id } = await plugin.pass({ ...contact, user: admin });
    const [found, ...others] = await proposals(plugin);
    expect(found).toMatchObject({ method: "POST", path: "/api/contact", fields: ["message"], requests: 2 });
    expect([found.users, found.examples.includes(id), others]).toEqual([2, true, []]);
  });

  test("and one that is accepted says by whom, proposes nothing more, and is reverted by removing it", async () => {
    const plugin = await started();
    await plugin.pass({ ...contact, user: member });
    const [{ id }] = await proposals(plugin);
    const accepted = await plugin.call("POST", `/proposals/${id}/accept`);
    expect(accepted.status).toBe(200);
    const own = Object(accepted.json).data.exemptions.at(-1);
    expect(own).toMatchObject({ path: "/api/contact", fields: ["message"], isBuiltIn: false });
    expect(own.note).toBe("Proposed by 1 request of 1 user; accepted by Ada");
    expect(plugin.activities.at(-1)?.action).toContain("Accepted the proposed exemption of message");
    expect(await proposals(plugin)).toEqual([]);
    expect((await plugin.call("POST", `/proposals/${id}/accept`)).status).toBe(404);
    await plugin.call("DELETE", `/exemptions/${own.id}`);
    expect(await proposals(plugin)).toMatchObject([{ id }]);
  });

  test("once, however many admins accept it at once", async () => {
    const plugin = await started();
    await plugin.pass({ ...contact, user: member });
    const [{ id }] = await proposals(plugin);
    const accept = () => plugin.call("POST", `/proposals/${id}/accept`);
    const statuses = (await Promise.all([accept(), accept()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 404]);
    const all: { isBuiltIn: boolean }[] = Object((await plugin.call("GET", "/exemptions")).json).data
      .exemptions;
    expect(all.filter(({ isBuiltIn }) => !isBuiltIn)).toHaveLength(1);
  });

  test("but not from what another site's page or link may have started, nor for routes that do not exist", async () => {
    const plugin = await started();
    const search = { path: "/search", query: "attack", user: member };
    for (const site of ["cross-site", "same-site", "none"])
      await plugin.pass({ ...search, headers: { ...ourPage, "sec-fetch-site": site } });
    await plugin.pass({ ...search, headers: contact.headers });
    const elsewhere = { ...contact.headers, origin: "https://evil.example" };
    await plugin.pass({ ...contact, user: member, headers: elsewhere });
    await plugin.pass({ ...contact, user: member, route: null });
    expect(await proposals(plugin)).toEqual([]);
    await plugin.pass({ ...search, headers: ourPage });
    expect(await proposals(plugin)).toMatchObject([{ path: "/search", requests: 1 }]);
  });

  test("in a replay, for what its draft would stop, which are accepted likewise while its results are kept", async () => {
    const plugin = await started();
    await plugin.call("PUT", "/config", { body: { threshold: 9 }, user: null });
    await plugin.pass({ query: "attack", user: member, headers: ourPage });
    const { id } = Object(
      (await plugin.call("POST", "/replay", { body: { switches: { threshold: 5 } } })).json,
    ).data;
    await new Promise((resolve) => setImmediate(resolve));
    expect((await plugin.call("GET", `/replay/${id}`)).json).toMatchObject({
      data: { newlyBlocked: 1, proposals: [{ path: "/", fields: ["q"], requests: 1 }] },
    });
    const [proposal] = Object((await plugin.call("GET", `/replay/${id}`)).json).data.proposals;
    const accept = (query?: Record<string, string>) =>
      plugin.call("POST", `/proposals/${proposal.id}/accept`, query && { query });
    // The journal has no such proposal: nothing was blocked.
    for (const query of [undefined, { replay: crypto.randomUUID() }])
      expect((await accept(query)).status).toBe(404);
    const accepted = await accept({ replay: id });
    expect(Object(accepted.json).data.exemptions.at(-1)).toMatchObject({
      ...{ path: "/", fields: ["q"], note: "Proposed by 1 request of 1 user; accepted by Ada" },
    });
    expect((await accept({ replay: id })).status).toBe(404);
  });
});

const user = { id: "u", name: "Cy", role: "user" };
const reason: Reason = {
  ...{ by: "pattern", rule: "1", text: "x", score: 5, place: "body", name: "message", excerpt: "" },
};
const stopped = (...reasons: Partial<Reason>[]): Stopped => ({
  ...{ id: "i", method: "POST", path: "/api/contact", user, teaches: true, threshold: 5 },
  score: 5 * reasons.length,
  reasons: reasons.map((more) => ({ ...reason, ...more })),
});

test("nothing is proposed for paths that would stand for others, or that were hidden or cut", () => {
  const paths = ["/*", "/api/*", "/api/:id", "/a%2a", "/reset/…", "/a/../b", `/${"a".repeat(199)}`];
  for (const path of paths) expect(proposalsOf([{ ...stopped({}), path }], [])).toEqual([]);
  expect(proposalsOf([{ ...stopped({}), method: "*" }], [])).toEqual([]);
});

test("nothing is proposed for what something else speaks against, or what lies outside of fields", () => {
  expect(proposalsOf([stopped({})], [])).toHaveLength(1);
  expect(
    proposalsOf([stopped({}, { by: "rate" }), stopped({}, { place: "header" }), stopped({ name: "" })], []),
  ).toEqual([]);
});

test("a proposal of more categories is another one, and what most users need comes first", () => {
  const [one, two] = ["sql-injection", "cross-site-scripting"].map((name) =>
    String(allPatterns.find(({ category }) => category === name)?.id),
  );
  const narrow = stopped({ rule: one ?? "" });
  const wide = stopped({ rule: one ?? "" }, { rule: two ?? "" });
  const others = [wide, { ...wide, user: { ...user, id: "v" } }];
  const found = proposalsOf([narrow, narrow, narrow, ...others], []);
  expect(found).toMatchObject([
    { users: 2, requests: 2, categories: ["sql-injection", "cross-site-scripting"] },
    { users: 1, requests: 3, categories: ["sql-injection"] },
  ]);
  expect(found[0]?.id).not.toBe(found[1]?.id);
});

test("nothing is proposed for fields whose names were hidden or cut", () => {
  for (const name of ["form.…", "n".repeat(64)]) expect(proposalsOf([stopped({ name })], [])).toEqual([]);
});
