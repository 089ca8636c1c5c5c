import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inOrder } from "#api/testing/in-order.ts";
import { longCommands } from "#cli/testing/command-lines.ts";
import { runnableCommands, unrunProgram } from "#cli/testing/command-tree.ts";
import { type CommandWorld, createCommandWorld } from "#cli/testing/command-world.ts";
import { run } from "#cli/testing/run.ts";

let world: CommandWorld;
let folder: string;
beforeAll(async () => {
  world = await createCommandWorld();
  folder = await mkdtemp(join(tmpdir(), "atrium-progress-"));
  const made = await run(["plugin", "create", "starter", "--dir", join(folder, "starter")]);
  if (made.code !== 0) throw new Error(made.err);
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true });
});

// What is put in the place of a line, also to take it away: see `createProgress`.
const backToStart = "\r\u001b[K";

/** What stood on standard error, a terminal, when the first result came. */
const shownBeforeResult = async (words: string[]) => {
  const seen = { before: null as string | null, all: "" };
  const { code, out, err } = await run(words, {
    isTerminal: true,
    answer: world.answer,
    composition: { packPlugin: async () => world.newest.bytes },
    onErr: (all) => {
      seen.all = all;
    },
    onOut: () => {
      seen.before ??= seen.all;
    },
  });
  return { code, out, err, before: seen.before ?? err };
};

// They share a server, and some remove what others show.
const step = inOrder();

describe("a command that may take seconds shows that it is at work, before its result:", () => {
  test("the list names commands", () => {
    const known = [...runnableCommands(unrunProgram()).keys()];
    expect(Object.keys(longCommands).filter((name) => !known.includes(name))).toEqual([]);
  });

  for (const [name, words] of Object.entries(longCommands))
    if (words !== null)
      step(name, async () => {
        const typed = [...name.split(" "), ...words(world, folder)];
        const { code, out, err, before } = await shownBeforeResult(typed);
        // What `doctor` complains of here is that there is no installation.
        expect({ code, err: code === 0 ? "" : err, hasResult: out !== "" }).toEqual({
          ...{ code: name === "doctor" ? 1 : 0, hasResult: true },
          err: name === "doctor" ? expect.stringContaining("failed") : "",
        });
        const [, text = "", end] = before.split(backToStart);
        expect(text).not.toBe("");
        expect(end).toBeDefined();
      });
});

test("where standard error is no terminal nothing of it is written", async () => {
  const { err } = await run(["user", "list", "--all"], { answer: world.answer });
  expect(err).toBe("");
});
