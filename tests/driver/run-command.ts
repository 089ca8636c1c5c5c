import { tmpdir } from "node:os";
import { programIn } from "./program.ts";

/** What a command printed and how it ended. */
export type CommandResult = { exitCode: number; stdout: string; stderr: string };

/** Runs `atrium …` away from any terminal, with nothing of this process's environment but the path. */
export const runCommand = async (
  words: string[],
  options: { env?: Record<string, string>; input?: string } = {},
): Promise<CommandResult> => {
  const child = Bun.spawn([...programIn(), ...words], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...options.env },
    stdin: new TextEncoder().encode(options.input ?? ""),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
};
