import { expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { SQL } from "bun";
import { failureOf } from "#api/testing/failure-of.ts";
import { startPostgres } from "./postgres.ts";

const ask = async (url: string, statement: string): Promise<unknown[]> => {
  const sql = new SQL(url, { max: 1 });
  try {
    return [...(await sql.unsafe(statement))];
  } finally {
    await sql.close();
  }
};

test("a copy of a template holds its rows, apart from every other copy, and stopping ends the server", async () => {
  const server = await startPostgres();
  try {
    const template = await server.createDatabase();
    await ask(template, "create table notes (body text)");
    await ask(template, "insert into notes values ('first')");
    const name = new URL(template).pathname.slice(1);
    await server.freeze(name);
    const [one, two] = await Promise.all([server.createDatabase(name), server.createDatabase(name)]);
    await ask(one, "insert into notes values ('second')");
    expect(await ask(one, "select body from notes order by body")).toEqual([
      { body: "first" },
      { body: "second" },
    ]);
    expect(await ask(two, "select body from notes")).toEqual([{ body: "first" }]);
    expect(await failureOf(ask(template, "select 1"))).toBeInstanceOf(Error);
  } finally {
    server.stop();
  }
  expect(await failureOf(ask(server.url(), "select 1"))).toBeInstanceOf(Error);
});

test("only a durable server syncs its commits", async () => {
  for (const durable of [true, false]) {
    const server = await startPostgres({ durable });
    try {
      expect(await ask(server.url(), "show fsync")).toEqual([{ fsync: durable ? "on" : "off" }]);
    } finally {
      server.stop();
    }
  }
});

test("a server ends with the process that started it, even when that one is killed", async () => {
  const script = `import { startPostgres } from "./postgres.ts";
    console.log((await startPostgres()).url());
    await new Promise((resolve) => setTimeout(resolve, 60_000));`;
  const owner = Bun.spawn([process.execPath, "-e", script], { cwd: import.meta.dir, stdout: "pipe" });
  const { value } = await owner.stdout.getReader().read();
  const url = new TextDecoder().decode(value).trim();
  const data = await dataFolderOf(url);
  owner.kill("SIGKILL");
  await owner.exited;
  const deadline = performance.now() + 10_000;
  const isUp = () =>
    ask(url, "select 1").then(
      () => true,
      () => false,
    );
  while ((await isUp()) && performance.now() < deadline) await Bun.sleep(50);
  expect(await isUp()).toBe(false);
  // Its last deed; what is left then is for no one but this test to remove.
  while (existsSync(join(data, "postmaster.pid")) && performance.now() < deadline) await Bun.sleep(20);
  rmSync(dirname(data), { recursive: true, force: true });
});

const dataFolderOf = async (url: string): Promise<string> => {
  const [row] = await ask(url, "show data_directory");
  return String(Reflect.get(Object(row), "data_directory"));
};
