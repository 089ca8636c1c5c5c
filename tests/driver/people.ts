import type { BrowserContext } from "playwright-core";
import { createPerson } from "./person.ts";
import { runCommand } from "./run-command.ts";
import type { ServerProcess } from "./start-server.ts";

const password = "a rather fine long password";

/** Makes a user and an admin in the terminal and signs both in; their session cookies. */
export const signedInPeople = async (server: ServerProcess): Promise<{ user: string; admin: string }> => {
  const words = [
    "admin",
    "create",
    "--email",
    "ada@example.test",
    "--name",
    "Ada Lovelace",
    "--password-stdin",
  ];
  const made = await runCommand(words, { env: { DATA_DIR: server.dataDir }, input: `${password}\n` });
  if (made.exitCode !== 0) throw new Error(made.stderr);
  const admin = createPerson(server.url);
  await admin.call("POST", "/api/auth/login", { email: "ada@example.test", password });
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
