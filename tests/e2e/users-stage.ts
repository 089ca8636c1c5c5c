import type { Locator, Page } from "playwright-core";
import type { Role } from "#contract/users.ts";
import type { WatchedPage } from "../driver/browser.ts";
import { createPerson, type Person } from "../driver/person.ts";
import { openLive } from "./live.ts";
import { type Stage, stageForFile } from "./stage.ts";

/** Everybody's password here. */
export const password = "a rather fine long password";

/** Somebody with a name and an address that nobody else has. */
type Member = { name: string; email: string };

/** A stage whose people come and go, and the admin who sees to it over the API. */
export type UsersStage = {
  stage: Stage;
  admin: Person;
  /** Adds somebody who can sign in. */
  add(name: string, role?: Role): Promise<Member>;
  /** Registers somebody who does not follow the link, with an address of their own or another's. */
  register(name: string, email?: string): Promise<Member>;
  /** Signs somebody in; the session cookie. */
  signIn(email: string): Promise<string>;
  /** Opens the users page as Ada Lovelace, who is an admin. */
  openUsers(query?: string, width?: number): Promise<WatchedPage>;
};

/** A stage for a file of tests, and who sees to its people. Await it at the top. */
export const usersStageForFile = async (): Promise<UsersStage> => {
  const stage = await stageForFile();
  const admin = createPerson(stage.url);
  await admin.call("POST", "/api/auth/login", { email: "ada@example.test", password });
  let people = 0;
  const send = async (person: Person, path: string, body: Member & { role?: Role }) => {
    const { status } = await person.call("POST", path, { ...body, password });
    if (status !== 201) throw new Error(`${path} answered ${status} for ${body.name}`);
    return { name: body.name, email: body.email };
  };
  return {
    stage,
    admin,
    add: (name, role = "user") => {
      people += 1;
      return send(admin, "/api/admin/users", { name, email: `member${people}@users.example`, role });
    },
    register: (name, email) => {
      people += 1;
      const visitor = createPerson(stage.url, `198.51.100.${people % 250}`);
      const own = `waiting${people}@users.example`;
      return send(visitor, "/api/auth/register", { name, email: email ?? own });
    },
    signIn: async (email) => {
      const person = createPerson(stage.url);
      await person.call("POST", "/api/auth/login", { email, password });
      if (person.cookie === null) throw new Error("signing in failed");
      return person.cookie;
    },
    openUsers: async (query = "", width = 1280) => {
      const visit = await stage.open("admin", { width });
      await openLive(visit.page, `${stage.url}/admin/users${query}`);
      return visit;
    },
  };
};

/** The row with this text. */
export const row = (page: Page, text: string): Locator => page.getByRole("row").filter({ hasText: text });
