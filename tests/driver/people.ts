import type { BrowserContext } from "playwright-core";
import { createPerson } from "./person.ts";
import { asOperator } from "./plugin-caller.ts";
import type { ServerProcess } from "./start-server.ts";

const password = "a rather fine long password";

/** Makes an admin by the server's control socket and a user by the admin, and signs both in; their session cookies. */
export const signedInPeople = async (server: ServerProcess): Promise<{ user: string; admin: string }> => {
  const ada = { name: "Ada Lovelace", email: "ada@example.test", password, role: "admin" };
  const made = await asOperator(server.dataDir).ask("POST", "/api/admin/users", ada);
  if (made.status !== 201) throw new Error(`making the admin was answered with ${made.status}`);
  const admin = createPerson(server.url);
  await admin.call("POST", "/api/auth/login", { email: ada.email, password });
  const grace = { name: "Grace Hopper", email: "grace@example.test", password, role: "user" };
  await admin.call("POST", "/api/admin/users", grace);
  const user = createPerson(server.url);
  await user.call("POST", "/api/auth/login", { email: grace.email, password });
  if (!admin.cookie || !user.cookie) throw new Error("signing in failed");
  return { user: user.cookie, admin: admin.cookie };
};

/** Gives a browser the session of one of the {@link signedInPeople}. */
export const giveSession = async (context: BrowserContext, origin: string, cookie: string): Promise<void> => {
  const [name = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: "Lax" }]);
};
