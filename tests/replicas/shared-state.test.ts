import { afterAll, beforeAll, describe, expect, setDefaultTimeout } from "bun:test";
import { inOrder } from "#api/testing/in-order.ts";
import { sized } from "#api/testing/size.ts";
import { until } from "#api/testing/until.ts";
import { addUser, signInAs, userPassword } from "../driver/add-user.ts";
import { createPerson, type Person } from "../driver/person.ts";
import { asOperator } from "../driver/plugin-caller.ts";
import { runCommand } from "../driver/run-command.ts";
import { nextPlace } from "../faults/api-load.ts";
import { packNotes } from "../fixtures/plugins/notes-plugin.ts";
import { type Replica, type ReplicaStage, startReplicas } from "./replica-stage.ts";

setDefaultTimeout(60_000);

/** How often each way to lose a session is tried in each weather. */
const rounds = sized(1, 20);
const mostVisibleMs = 1_000;

let stage: ReplicaStage;
beforeAll(async () => {
  stage = await startReplicas(3);
});
afterAll(() => stage.close());

const replicaAt = (turn: number): Replica => {
  const replica = stage.replicas[turn % stage.replicas.length];
  if (replica === undefined) throw new Error("there are no replicas");
  return replica;
};
const atAll = (person: Person): Person[] => stage.replicas.map((replica) => stage.at(replica, person));

let people = 0;
/** Someone new, signed in through the proxy. */
const newcomer = async (): Promise<{ person: Person; email: string }> => {
  people += 1;
  const email = `person-${people}@example.test`;
  const { origin } = stage.proxy;
  return { person: await addUser(origin, stage.admin.cookie ?? "", { name: "Grace", email }), email };
};

// Replicas lose Redis or are killed along the way.
const step = inOrder(sized(240_000, 1_800_000));

describe("a user who signs in at one", () => {
  step("is signed in at all, and no request need go where the last one went", async () => {
    const { person } = await newcomer();
    const before = new Map(stage.proxy.counts());
    for (let turn = 0; turn < 12; turn += 1)
      expect((await person.call("GET", "/api/auth/user")).status).toBe(200);
    const given = stage.replicas.map(
      ({ server }) => (stage.proxy.counts().get(server.url) ?? 0) - (before.get(server.url) ?? 0),
    );
    expect(given).toEqual([4, 4, 4]);
  });
});

type Loss = (at: { person: Person; admin: Person; dataDir: string }, email: string) => Promise<unknown>;
const done = async (answer: ReturnType<Person["call"]>): Promise<void> => {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`answered with ${status}: ${JSON.stringify(body)}`);
};
const user = (email: string) => `/api/admin/users/${email}`;
const losses: [name: string, lose: Loss][] = [
  ["signing out", ({ person }) => done(person.call("POST", "/api/auth/logout"))],
  ["another role", ({ admin }, email) => done(admin.call("PUT", `${user(email)}/role`, { role: "admin" }))],
  ["disabling", ({ admin }, email) => done(admin.call("POST", `${user(email)}/disable`))],
  ["an admin's ending", ({ admin }, email) => done(admin.call("DELETE", `${user(email)}/sessions`))],
  [
    "a changed password, elsewhere",
    async (_, email) => {
      const elsewhere = await signInAs(stage.proxy.origin, email);
      const body = { currentPassword: userPassword, newPassword: "another fine long password" };
      await done(elsewhere.call("PUT", "/api/account/password", body));
    },
  ],
  [
    "a reset password",
    async ({ person }, email) => {
      await done(person.call("POST", "/api/auth/forgot-password", { email }));
      const token = await mailedToken(email);
      const body = { password: "another fine long password" };
      await done(person.call("POST", `/api/auth/reset-password/${token}`, body));
    },
  ],
  [
    "the operator's command",
    async ({ dataDir }, email) => {
      const { exitCode, stderr } = await runCommand(["user", "end-sessions", email], {
        env: { DATA_DIR: dataDir },
      });
      if (exitCode !== 0) throw new Error(stderr);
    },
  ],
  ["a deleted account", ({ admin }, email) => done(admin.call("DELETE", user(email)))],
];

const mailedToken = async (email: string): Promise<string> => {
  const find = () =>
    stage.mail.mails
      .filter(({ recipients }) => recipients.includes(email))
      .map(({ text }) => /reset-password\?token=([\w-]{43})/.exec(text ?? "")?.[1])
      .find((token) => token !== undefined);
  await until(() => find() !== undefined);
  return find() ?? "";
};

/** An API token that was used everywhere is revoked at one. */
const loseToken = async (name: string): Promise<void> => {
  const made = await stage.admin.call("POST", "/api/admin/tokens", { name, scopes: ["plugins:read"] });
  expect(made.status).toBe(201);
  const { id, token } = Object(made.body.data);
  const headers = { authorization: `Bearer ${token}` };
  const statuses = () =>
    Promise.all(
      stage.replicas.map(async ({ server }) => {
        return (await fetch(`${server.url}/api/admin/tokens/current`, { headers })).status;
      }),
    );
  for (let look = 0; look < 2; look += 1) expect(await statuses()).toEqual([200, 200, 200]);
  await done(stage.at(replicaAt(0), stage.admin).call("POST", `/api/admin/tokens/${id}/revoke`, {}));
  expect(await statuses()).toEqual([401, 401, 401]);
};

describe("A2: a session or token that ends at one of three is refused by the others at the very next request", () => {
  const weathers: [name: string, begin: () => unknown][] = [
    ["on a calm day", () => {}],
    ["while Redis is away", () => stage.redis.kill()],
    [
      "while no event gets from one to another and none of them can know",
      () => {
        for (const { line } of stage.replicas) line.deafen();
      },
    ],
  ];
  for (const [weather, begin] of weathers)
    step(weather, async () => {
      const everybody: ({ loss: (typeof losses)[number] } & Awaited<ReturnType<typeof newcomer>>)[] = [];
      // Round by round: more passwords at once than the queues for hashing hold are told to come again.
      for (let round = 0; round < rounds; round += 1)
        everybody.push(...(await Promise.all(losses.map(async (loss) => ({ loss, ...(await newcomer()) })))));
      await begin();
      for (const [turn, { loss, person, email }] of everybody.entries()) {
        const [name, lose] = loss;
        const places = atAll(person);
        // Twice, so that it is remembered everywhere.
        for (let look = 0; look < 2; look += 1)
          for (const place of places) expect((await place.call("GET", "/api/auth/user")).status).toBe(200);
        const one = replicaAt(turn);
        const admin = stage.at(one, stage.admin);
        await lose({ person: stage.at(one, person), admin, dataDir: one.server.dataDir }, email);
        const answers = await Promise.all(places.map((place) => place.call("GET", "/api/auth/user")));
        expect([name, ...answers.map(({ status }) => status)]).toEqual([name, 401, 401, 401]);
      }
      await loseToken(`ci ${people}`);
    });
});

describe("events", () => {
  step("get through again automatically", async () => {
    for (const { line } of stage.replicas) line.hear();
    await stage.redis.restart();
    for (const replica of stage.replicas)
      await until(async () => Object((await status(replica)).redis).state === "up");
  });
});

const status = async (replica: Replica): Promise<Record<string, unknown>> => ({
  ...Object((await stage.operate(replica, "GET", "/api/system/status")).data),
});

describe("settings", () => {
  const save = (replica: Replica, rateLimiting: object) =>
    stage.operate(replica, "PUT", "/api/auth/settings/core", { rateLimiting });
  const policyAt = async ({ server }: Replica) => {
    const visitor = createPerson(stage.proxy.origin, nextPlace(), server.url);
    return (await visitor.call("GET", "/api/auth/providers")).headers.get("ratelimit-policy");
  };

  step("that are saved at one hold on all within a second", async () => {
    for (const [turn, replica] of stage.replicas.entries()) {
      const maxRequests = 50 + turn;
      await save(replica, { enabled: true, maxRequests, windowMs: 60_000 });
      const isSame = async () =>
        (await Promise.all(stage.replicas.map(policyAt))).every(
          (policy) => policy === `"core";q=${maxRequests};w=60`,
        );
      await until(isSame, mostVisibleMs);
    }
  });

  step(
    "R3: a limit of 100 lets exactly 100 of 300 pass that arrive at three replicas at the same time",
    async () => {
      await save(replicaAt(0), { maxRequests: 100 });
      await until(async () =>
        (await Promise.all(stage.replicas.map(policyAt))).every((policy) => policy?.includes("q=100;")),
      );
      for (let round = 0; round < rounds; round += 1) {
        const place = nextPlace();
        const answers = await Promise.all(
          Array.from({ length: 300 }, () =>
            createPerson(stage.proxy.origin, place).call("GET", "/api/auth/providers"),
          ),
        );
        const statuses = Map.groupBy(answers, ({ status }) => status);
        expect([statuses.get(200)?.length, statuses.get(429)?.length]).toEqual([100, 200]);
      }
      await save(replicaAt(0), { enabled: false });
    },
  );
});

describe("a plugin", () => {
  const name = "replicated-notes";
  const stateAt = async (replica: Replica) =>
    stage.at(replica, stage.admin).call("GET", `/api/${name}/state`);
  const all = async (holds: (answer: Awaited<ReturnType<typeof stateAt>>) => boolean) =>
    (await Promise.all(stage.replicas.map(stateAt))).every(holds);
  const operator = (turn: number) => asOperator(replicaAt(turn).server.dataDir);

  step("that is installed at one, enabled at another and set up at a third runs on all", async () => {
    expect((await operator(0).upload(await packNotes(name, "1.0.0"))).status).toBe(201);
    expect((await operator(1).toggle(name, true)).status).toBe(200);
    await until(() => all(({ status }) => status === 200), mostVisibleMs * 2);
    const values = { greeting: "from the third" };
    expect((await operator(2).ask("PUT", `/api/plugins/${name}/settings`, { values })).status).toBe(200);
    await until(() => all(({ body }) => body.greeting === values.greeting), mostVisibleMs);
    await stage.at(replicaAt(0), stage.admin).call("POST", `/api/${name}/mark`, { mark: "kept together" });
    expect(await all(({ body }) => body.mark === "kept together")).toBe(true);
  });

  step("that is disabled at one is gone from all", async () => {
    expect((await operator(2).toggle(name, false)).status).toBe(200);
    await until(() => all(({ status }) => status === 404), mostVisibleMs);
  });
});

describe("X4: after a restart of PostgreSQL", () => {
  step("all three are back within five seconds, with the sessions that there were", async () => {
    const { person } = await newcomer();
    await stage.postgres.kill();
    const away = await stage.at(replicaAt(0), person).call("GET", "/api/auth/user");
    expect([away.status, away.body.code]).toEqual([503, "DB_UNAVAILABLE"]);
    await until(() => stage.proxy.ready().length === 0);
    await stage.postgres.restart();
    await until(() => stage.proxy.ready().length === 3, 5_000);
    for (const place of atAll(person)) expect((await place.call("GET", "/api/auth/user")).status).toBe(200);
  });
});
