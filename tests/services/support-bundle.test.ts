import { afterAll, beforeAll, expect } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { inOrder } from "#api/testing/in-order.ts";
import { createPerson } from "../driver/person.ts";
import { runCommand } from "../driver/run-command.ts";
import { removeFolder, type ServerProcess, startServer, temporaryFolder } from "../driver/start-server.ts";
import { runChecked } from "./run-checked.ts";

/** What must be nowhere in a bundle. */
const canaries: string[] = [];
// Of letters alone, so that nothing takes them for a secret by their looks.
const canary = (what: string): string => {
  const text = `canary${what}KqvWmxLrTzBn`;
  canaries.push(text);
  return text;
};

const folder = temporaryFolder();
const dataDir = join(folder, "data");
const env = {
  APP_SECRET: canary("AppSecret") + canary("AppSecretTail"),
  METRICS_TOKEN: canary("Metrics"),
  SMTP_URL: `smtp://mailer:${canary("Smtp")}%2F@127.0.0.1:9`,
  GOOGLE_CLIENT_ID: "client",
  GOOGLE_CLIENT_SECRET: canary("Google"),
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${canary("Collector")}`,
  LOG_LEVEL: "debug",
};
const person = { email: "ada.canary@example.com", name: "Ada Canary", password: canary("Password") };
const visitorAddress = "203.0.113.77";
let server: ServerProcess;

/** Runs a command that has to work. */
const done = async (words: string[], input = ""): Promise<void> => {
  expect([words, await atrium(words, input)]).toMatchObject([words, { exitCode: 0 }]);
};

const atrium = (words: string[], input = "") =>
  runCommand(words, { env: { ...env, DATA_DIR: dataDir }, input });

beforeAll(async () => {
  server = await startServer({ dataDir, env });
  await done(
    ["admin", "create", "--email", person.email, "--name", person.name, "--password-stdin"],
    person.password,
  );
  await done(["settings", "set", "core.security.trustProxy", "true"]);
  const { email, password } = person;
  const signIn = { email, password };
  const somebody = createPerson(server.url, visitorAddress);
  expect((await somebody.call("POST", "/api/auth/login", signIn)).status).toBe(200);
  canaries.push(somebody.cookie?.slice("sid=".length) ?? "");
  await somebody.call("POST", "/api/auth/register", {
    email: "waiting.canary@example.com",
    name: "Waiting",
    password: canary("Waiting"),
  });
  await somebody.call("POST", "/api/auth/forgot-password", { email });
  const bucket = "credentials.cloudflareR2";
  const keys = [`${bucket}.token`, `${bucket}.accessKeyId`, `${bucket}.secretAccessKey`];
  await done(
    [
      "settings",
      "set",
      `${bucket}.bucket`,
      "files",
      `${bucket}.endpointS3`,
      "https://0123456789abcdef0123456789abcdef.r2.cloudflarestorage.com",
      ...keys,
      "--stdin",
    ],
    keys.map((key) => `${canary(key.split(".").at(-1) ?? "")}\n`).join(""),
  );
  await done(["plugin", "settings", "set", "plugin-template", "token", "--stdin"], canary("Plugin"));
  canaries.push(...[person.email, person.name, "waiting.canary", visitorAddress]);
});

afterAll(async () => {
  await server.stop();
  removeFolder(folder);
});

/** Makes a bundle and unpacks it: each file by its name. */
const unpacked = async (name: string, words: string[] = [], input = ""): Promise<Map<string, string>> => {
  const out = join(folder, `${name}.tar.gz`);
  const made = await atrium(["support-bundle", "--out", out, ...words], input);
  expect(made).toMatchObject({ exitCode: 0, stderr: "" });
  expect(statSync(out).mode & 0o777).toBe(0o600);
  const into = join(folder, name);
  mkdirSync(into);
  runChecked(["tar", "-xzf", out, "-C", into, "--strip-components=1"], folder);
  const files = new Map(readdirSync(into).map((file) => [file, readFileSync(join(into, file), "utf8")]));
  for (const file of files.keys())
    expect([made.stdout, file === "README.txt" || made.stdout.includes(file)]).toEqual([made.stdout, true]);
  return files;
};

/** Where a canary is, in any of the forms in which it may leak. */
const leaks = (files: Map<string, string>): string[] =>
  [...files].flatMap(([file, text]) =>
    canaries
      .filter((secret) =>
        [secret, btoa(secret).slice(0, -4), Buffer.from(secret).toString("hex")].some((form) =>
          text.includes(form),
        ),
      )
      .map((secret) => `${file}: ${secret}`),
  );

// What the server, its services and its plugins might log: of them only the words around may be left.
const log = () =>
  [
    server.output(),
    `{"level":"error","message":"cannot send","to":"${person.email}","ip":"${visitorAddress}","link":"https://atrium.example/verify-email?token=${canary("Link")}"}`,
    `12:00:01 warn  plugin said password=${canary("Said")} of ${person.email} at 2001:db8::77`,
    `connect smtp://mailer:${canary("InUrl")}@mail.example: refused`,
    `authorization: Bearer ${canary("Bearer")}`,
    `{"level":"warn","message":"odd","detail":"${env.APP_SECRET} ${decodeURIComponent(env.OTEL_EXPORTER_OTLP_HEADERS)}"}`,
  ].join("\n");

// Later the server is stopped, and then its folder damaged.
const step = inOrder();

step(
  "S1: a bundle of a running server contains every part, and no secret, email address or visitor",
  async () => {
    const files = await unpacked("running", ["--log", "-"], log());
    expect(leaks(files)).toEqual([]);
    expect([...files.values()].filter((text) => text.startsWith("This could not be collected"))).toEqual([]);
    const facts = JSON.parse(files.get("database.json") ?? "");
    for (const [name, { rows, problem }] of Object.entries<{ rows: object[]; problem: string | null }>(facts))
      expect([name, problem, rows.length > 0]).toEqual([name, null, true]);
    expect(files.get("database.json")).toContain("cloudflareR2.secretAccessKey");
    expect(files.get("metrics.txt")).toContain("# TYPE ");
    expect(JSON.parse(files.get("configuration.json") ?? "")).toContainEqual(
      expect.objectContaining({ variable: "SMTP_URL", value: "smtp://***@127.0.0.1:9" }),
    );
    const lines = files.get("server.log") ?? "";
    expect(lines).toContain("cannot send");
    const [named = ""] = /person-[0-9a-f]{8}@hidden/.exec(lines) ?? [];
    expect(lines.split(named).length).toBeGreaterThan(2);
    expect(lines).toContain("ipv6-");
  },
);

step("a file that is there is not written over", async () => {
  const out = join(folder, "mine.txt");
  writeFileSync(out, "mine");
  expect((await atrium(["support-bundle", "--out", out])).exitCode).toBe(2);
  expect(readFileSync(out, "utf8")).toBe("mine");
});

step(
  "without a running server the database is opened for it, and what only a server knows says so",
  async () => {
    await server.stop();
    const files = await unpacked("stopped");
    expect(leaks(files)).toEqual([]);
    const facts = JSON.parse(files.get("database.json") ?? "");
    expect(facts.plugins.rows.length).toBeGreaterThan(0);
    for (const file of ["ready.json", "status.json", "metrics.txt"])
      expect(files.get(file)).toContain("This could not be collected: ");
  },
);

step(
  "an installation that cannot start gives a bundle all the same, in which each part fails alone",
  async () => {
    appendFileSync(join(dataDir, "database", "PG_VERSION"), "garbage");
    const wrong = { ...env, PORT: "http", APP_SECRET: "short", DATA_DIR: dataDir };
    const out = join(folder, "broken.tar.gz");
    const made = await runCommand(["support-bundle", "--out", out, "--json"], { env: wrong });
    expect(made.exitCode).toBe(0);
    const parts: { file: string; problem: string | null }[] = JSON.parse(made.stdout).parts;
    const failed = parts.filter(({ problem }) => problem !== null).map(({ file }) => file);
    expect(failed).toContain("database.json");
    expect(failed).not.toContain("checks.json");
    expect(failed).not.toContain("configuration.json");
    expect(existsSync(out)).toBe(true);
  },
);
