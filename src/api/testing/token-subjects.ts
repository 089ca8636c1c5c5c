import { type TestClient, testPassword } from "./host.ts";

const path = "/api/admin/tokens";
const password = testPassword;
let tokens = 0;

/** What the operations by which admins change API tokens are called with; created again for each call. */
export const tokenSubjects = (admin: () => TestClient): Record<string, () => Promise<object>> => {
  const wish = async () => {
    tokens += 1;
    return { name: `ci ${tokens}`, password };
  };
  const made = async () => {
    const answer = await admin().call("POST", path, { ...(await wish()), scopes: ["plugins:read"] });
    return { ...(await wish()), id: String((await answer.json()).data.id) };
  };
  return {
    tokens: made,
    "tokens.create": wish,
    "tokens.remove": async () => {
      const dead = await made();
      await admin().call("POST", `${path}/${dead.id}/revoke`, { password });
      return dead;
    },
  };
};
