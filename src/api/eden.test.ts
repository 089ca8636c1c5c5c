import { describe, expect, test } from "bun:test";
import { treaty } from "@elysiajs/eden";
import { hostForFile } from "#api/testing/for-file.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { App } from "./eden.ts";
import { createCheapHasher } from "./testing/cheap-hasher.ts";
import { testOrigin } from "./testing/host.ts";
import { newTokenClient } from "./testing/token-client.ts";

const host = await hostForFile({ hasher: createCheapHasher() });

/** What an integrator has, with the test host in the place of a server. */
const apiFor = (token: string) => {
  const call = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
    host.request(`${input}`.replace(testOrigin, ""), init);
  return treaty<App>(testOrigin, {
    headers: { authorization: `Bearer ${token}` },
    fetcher: Object.assign(call, { preconnect: () => {} }),
  }).api;
};
const api = apiFor((await newTokenClient(host, { scopes: ["users:read", "plugins:read"] })).made.token);

// The compiler is what these are for: `bun run check` fails when a line that has to be wrong is not.
const wrong = [
  // @ts-expect-error there is no such call
  () => api.plugin.get(),
  // @ts-expect-error there is no such field
  () => api.plugins({ name: "x" }).toggle.post({ enable: true }),
  // @ts-expect-error it is no text
  () => api.plugins({ name: "x" }).toggle.post({ enabled: "yes" }),
  // @ts-expect-error no message has such a state
  () => api.admin.contact({ id: "x" }).put({ handled: "yes" }),
  // @ts-expect-error no account has a color
  async () => (await api.admin.users({ user: "x" }).get()).data?.data.colour,
];

describe("Eden's treaty with the type of the API", () => {
  test("has it from the package, whatever a product calls that", () => {
    expect(packageJson.exports["./eden"]).toBe("./src/api/eden.ts");
  });

  test("makes calls, and knows the types of what is answered", async () => {
    const { data, status } = await api.admin.users.get({ query: { limit: 5, offset: 0, search: "" } });
    const emails: string[] | undefined = data?.data.users.map(({ email }) => email);
    expect([status, emails]).toEqual([200, []]);
  });

  test("knows those that contracts declare as well", async () => {
    const { error } = await api.admin.contact.get({ query: { limit: 5, offset: 0, search: "" } });
    const none = () => api.admin.contact({ id: "x" }).get();
    const name: (found: Awaited<ReturnType<typeof none>>) => string | undefined = ({ data }) =>
      data?.data.name;
    expect([Number(error?.status), name(await none())]).toEqual([403, undefined]);
  });

  test("tells a failure from an answer, with the envelope", async () => {
    const { data, error } = await api.plugins({ name: "absent-notes" }).toggle.post({ enabled: true });
    expect([data, Number(error?.status)]).toEqual([null, 403]);
    expect(Object(error?.value)).toMatchObject({ success: false, code: "FORBIDDEN" });
  });

  test("does not compile with what the API does not have", () => {
    expect(wrong).toHaveLength(5);
  });
});
