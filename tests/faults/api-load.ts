import { ownMsOf } from "#api/testing/own-ms-of.ts";
import { until } from "#api/testing/until.ts";
import { createPerson } from "../driver/person.ts";
import type { ServerProcess } from "../driver/start-server.ts";

/** Someone with an account, who calls with their session and signs in again and again. */
export type Account = { email: string; password: string; cookie: string };

/** What callers saw: how long each answer took in milliseconds (see {@link ownMsOf}), by what was asked, and the answers that were no success. */
export type Seen = { call: number[]; signIn: number[]; failures: string[] };

export type ApiLoad = {
  /** Waits until so many more answers of each kind have come. */
  more(count: number): Promise<void>;
  /** Everything seen since the last time; answers under way are not part of it. */
  takeSeen(): Seen;
  stop(): Promise<void>;
};

const callersEach = 3;
const noSeen = (): Seen => ({ call: [], signIn: [], failures: [] });

/** Calls of the API and sign-ins at every server, without end and each from a place of its own, so that none is too many. */
export const startApiLoad = (servers: readonly ServerProcess[], account: Account): ApiLoad => {
  const { email, password, cookie } = account;
  let seen = noSeen();
  let isOver = false;

  const ask = async (kind: "call" | "signIn", server: ServerProcess): Promise<void> => {
    const person = createPerson(server.url, nextPlace());
    if (kind === "call") person.cookie = cookie;
    const answer = () =>
      kind === "call"
        ? person.call("GET", "/api/auth/user")
        : person.call("POST", "/api/auth/login", { email, password });
    const ownMs = await ownMsOf(() =>
      answer().then(
        ({ status }) => status !== 200 && seen.failures.push(`${kind}: ${status}`),
        (error) => seen.failures.push(`${kind}: ${error}`),
      ),
    );
    seen[kind].push(ownMs);
  };
  const worker = async (kind: "call" | "signIn", server: ServerProcess): Promise<void> => {
    while (!isOver) {
      await ask(kind, server);
      await Bun.sleep(kind === "call" ? 20 : 50);
    }
  };
  const workers = servers.flatMap((server) => [
    ...Array.from({ length: callersEach }, () => worker("call", server)),
    worker("signIn", server),
  ]);

  return {
    more: async (count) => {
      const [call, signIn] = [seen.call.length + count, seen.signIn.length + count];
      await until(() => seen.call.length >= call && seen.signIn.length >= signIn, 30_000);
    },
    takeSeen: () => {
      const taken = seen;
      seen = noSeen();
      return taken;
    },
    stop: async () => {
      isOver = true;
      await Promise.all(workers);
    },
  };
};

/** One client that calls every server far more often than it may: how many of its calls passed, by server. */
export type Crowd = { passed: number[]; stop(): Promise<void> };

/** Starts a {@link Crowd} from a new place. */
export const startCrowd = (servers: readonly ServerProcess[]): Crowd => {
  const place = nextPlace();
  const passed = servers.map(() => 0);
  let isOver = false;
  const workers = servers.map(async ({ url }, index) => {
    while (!isOver) {
      const { status } = await createPerson(url, place).call("GET", "/api/auth/providers");
      if (status === 200) passed[index] = (passed[index] ?? 0) + 1;
      else if (status !== 429) throw new Error(`a call was answered with ${status}`);
      await Bun.sleep(20);
    }
  });
  return {
    passed,
    stop: async () => {
      isOver = true;
      await Promise.all(workers);
    },
  };
};

let places = 0;

/** An address that no one has called from lately: of a network for measurements between devices. */
export const nextPlace = (): string => {
  places += 1;
  return `198.${18 + ((places >> 16) & 1)}.${(places >> 8) & 255}.${places & 255}`;
};
