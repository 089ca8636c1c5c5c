import { createPerson } from "../driver/person.ts";
import { asOperator } from "../driver/plugin-caller.ts";
import type { ServerProcess } from "../driver/start-server.ts";

/**
 * What was acknowledged, kept outside the server: addresses, of messages and settings what tells one from the other, and
 * whether a plugin was switched on or off.
 */
export type Journal = {
  registered: string[];
  verified: string[];
  reset: string[];
  contacted: string[];
  added: string[];
  saved: string[];
  toggled: boolean[];
  /** Answers that refused a switch; none should. */
  refused: string[];
};

/** A journal with nothing in it. */
export const emptyJournal = (): Journal => ({
  registered: [],
  verified: [],
  reset: [],
  contacted: [],
  added: [],
  saved: [],
  toggled: [],
  refused: [],
});

/**
 * Acts like several people, one act after the other, until the server is gone: registers, follows every other link, has
 * every fourth password reset, writes a message now and then, and adds users and saves settings as the operator does. It
 * begins anywhere in that order, so that short lives see all of it too.
 */
export const mixedLoad = async (server: ServerProcess, journal: Journal): Promise<void> => {
  for (let made = Math.floor(Math.random() * 60); ; made += 1) {
    try {
      const email = `kill-${crypto.randomUUID()}@example.test`;
      await register(server, email, journal);
      if (made % 2 === 0 && (await verify(server, email, journal)) && made % 4 === 0) {
        await reset(server, email, journal);
      }
      if (made % 3 === 0) await write(server, journal);
      if (made % 5 === 0) await addUser(server, journal);
      if (made % 4 === 1) await saveSettings(server, journal);
    } catch {
      // The server was killed in the middle: what it did not acknowledge may be there or not.
      return;
    }
  }
};

/** Switches a plugin off and on again, and so on, until the server is gone. */
export const toggleLoad = async (server: ServerProcess, journal: Journal): Promise<void> => {
  const operator = asOperator(server.dataDir);
  try {
    for (;;) {
      const enabled = (await operator.look(toggledPlugin))?.enabled !== true;
      const { status, body } = await operator.toggle(toggledPlugin, enabled);
      if (status === 200) journal.toggled.push(enabled);
      else journal.refused.push(`${status} ${JSON.stringify(body)}`);
      await Bun.sleep(100);
    }
  } catch {
    // Killed as well.
  }
};

/** The plugin that is switched: part of the product, and nothing needs it. */
export const toggledPlugin = "web-performance-optimization";

/** Someone at a place of their own, so that no limit of a place has a part in it. */
const newcomer = (server: ServerProcess) => {
  const part = () => Math.floor(Math.random() * 254) + 1;
  return createPerson(server.url, `198.${part()}.${part()}.${part()}`);
};

const register = async (server: ServerProcess, email: string, journal: Journal): Promise<void> => {
  const body = { name: "Ada", email, password: "a fine long password" };
  const answer = await newcomer(server).call("POST", "/api/auth/register", body);
  if (answer.status === 201) journal.registered.push(email);
};

const verify = async (server: ServerProcess, email: string, journal: Journal): Promise<boolean> => {
  const token = await loggedToken(server, email, "verify-email");
  if (token === null) return false;
  const body = { name: "Ada", password: "a fine long password" };
  const answer = await newcomer(server).call("POST", `/api/auth/verify-email/${token}`, body);
  if (answer.status === 201) journal.verified.push(email);
  return answer.status === 201;
};

const reset = async (server: ServerProcess, email: string, journal: Journal): Promise<void> => {
  const person = newcomer(server);
  await person.call("POST", "/api/auth/forgot-password", { email });
  const token = await loggedToken(server, email, "reset-password");
  if (token === null) return;
  const body = { password: "another fine long password" };
  const answer = await person.call("POST", `/api/auth/reset-password/${token}`, body);
  if (answer.status === 200) journal.reset.push(email);
};

const write = async (server: ServerProcess, journal: Journal): Promise<void> => {
  const message = `A question, ${crypto.randomUUID()}`;
  const body = { name: "Ada", email: "ada@example.test", subject: "Support", message };
  const answer = await newcomer(server).call("POST", "/api/contact", body);
  if (answer.status === 201) journal.contacted.push(message);
};

const addUser = async (server: ServerProcess, journal: Journal): Promise<void> => {
  const email = `added-${crypto.randomUUID()}@example.test`;
  const body = { name: "Ada", email, password: "a fine long password", role: "user" };
  const { status } = await asOperator(server.dataDir).ask("POST", "/api/admin/users", body);
  if (status === 201) journal.added.push(email);
};

const saveSettings = async (server: ServerProcess, journal: Journal): Promise<void> => {
  const message = `Later, please: ${crypto.randomUUID()}`;
  const body = { rateLimiting: { message } };
  const { status } = await asOperator(server.dataDir).ask("PUT", "/api/auth/settings/core", body);
  if (status === 200) journal.saved.push(message);
};

/** The token of the link to a page that the log shows for an address; `null` when none comes within a second. */
const loggedToken = async (server: ServerProcess, email: string, page: string): Promise<string | null> => {
  const pattern = new RegExp(`/${page}\\?token=([\\w-]{43})`);
  for (let tries = 0; tries < 40; tries += 1) {
    const lines = server.output().split("\n");
    const token = lines.map((line) => line.includes(email) && pattern.exec(line)?.[1]).find(Boolean);
    if (token) return token;
    await Bun.sleep(25);
  }
  return null;
};
