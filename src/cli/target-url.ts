import { CliFailure } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/** Where the address of a database comes from. */
export type TargetOptions = { to?: string; toStdin?: true };

/**
 * The address of a database with its password: from standard input, or from an argument that holds no password, for which a
 * terminal is asked, or else from `DATABASE_URL`. Throws `USAGE`.
 */
export const targetUrlFrom = async (terminal: Terminal, { to, toStdin }: TargetOptions): Promise<string> => {
  if (to !== undefined && toStdin) throw usage("give either --to or --to-stdin");
  if (toStdin) return new TextDecoder().decode(await terminal.readInput()).trim();
  if (to !== undefined) return withPassword(terminal, to);
  const url = terminal.env.DATABASE_URL ?? "";
  if (url === "") throw usage("name the server: set DATABASE_URL, or give --to or --to-stdin");
  return url;
};

const withPassword = async (terminal: Terminal, to: string): Promise<string> => {
  const url = URL.parse(to);
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw usage("--to must be an address such as postgres://user@host:5432/database");
  // Others on the machine can read arguments, and the shell's history keeps them.
  const isNamed = [...url.searchParams].flat().some((text) => /password/i.test(text));
  if (url.password !== "" || isNamed)
    throw usage("--to must not hold a password: pass the whole address with --to-stdin or in DATABASE_URL");
  if (!terminal.isInputTerminal) return to;
  url.password = encodeURIComponent(
    await terminal.askSecret(
      `Password of ${decodeURIComponent(url.username)} at ${url.host} (empty for none)`,
    ),
  );
  return url.href;
};

const usage = (message: string): CliFailure => new CliFailure("USAGE", message);
