import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { refusal } from "#cli/testing/run.ts";
import { noteProof } from "./follow-backup.ts";

const folder = makeDataFolder();
afterAll(folder.remove);

test("what a server has against noting a verification steers no terminal", async () => {
  const controlSocket = join(folder.path, "control.sock");
  const server = Bun.serve({
    unix: controlSocket,
    fetch: () => refusal(409, "CONFLICT", "not\u001b[2J\u202e now"),
  });
  const notes: string[] = [];
  const invocation = { composition: { controlSocket }, output: { note: (text: string) => notes.push(text) } };
  try {
    await noteProof(asInvocation({ ...invocation, args: [] }), report);
  } finally {
    await server.stop(true);
  }
  expect(notes).toEqual(["the server could not record this verification: not\uFFFD[2J\uFFFD now"]);
});

type NoteArguments = Parameters<typeof noteProof>;

/** What is looked at of a command's run, and no more. */
const asInvocation = (invocation: object): NoteArguments[0] => invocation as NoteArguments[0];
const report = {
  manifest: { createdAt: "2026-11-21T14:30:00.000Z", keyFingerprint: null },
  isSound: true,
} as object as NoteArguments[1];
