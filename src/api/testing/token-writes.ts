import { type TestClient, testPassword } from "./host.ts";
import type { GoodWrite } from "./plugin-writes.ts";

const path = "/api/admin/tokens";
const password = testPassword;
let tokens = 0;

/** How each route by which admins change API tokens is called well; made anew for each call. */
export const tokenWrites = (admin: () => TestClient): Record<string, () => Promise<GoodWrite>> => {
  const newToken = (): GoodWrite => {
    tokens += 1;
    return { path, body: { name: `ci ${tokens}`, scopes: ["plugins:read"], password } };
  };
  const made = async (): Promise<string> => {
    const answer = await admin().call("POST", path, newToken().body);
    return `${path}/${(await answer.json()).data.id}`;
  };
  return {
    "POST /api/admin/tokens": async () => newToken(),
    "PATCH /api/admin/tokens/:id": async () => ({
      path: await made(),
      body: { callsPerMinute: 60, password },
    }),
    "POST /api/admin/tokens/:id/revoke": async () => ({ path: `${await made()}/revoke`, body: { password } }),
    "DELETE /api/admin/tokens/:id": async () => {
      const dead = await made();
      await admin().call("POST", `${dead}/revoke`, { password });
      return { path: dead };
    },
  };
};
