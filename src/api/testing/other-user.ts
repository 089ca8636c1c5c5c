import { describe, test } from "bun:test";

/** Whether this process may give files to other users, and become one of them. */
export const isRoot: boolean = process.getuid?.() === 0;

/** A test that only root can run; for everyone else it is skipped by a title that says so. */
export const testAsRoot = (title: string, run: () => unknown): void =>
  test.skipIf(!isRoot)(isRoot ? title : `${title} (needs root)`, async () => void (await run()));

/** The same for a group of tests. */
export const describeAsRoot = (title: string, tests: () => void): void =>
  describe.skipIf(!isRoot)(isRoot ? title : `${title} (needs root)`, tests);

/** A user who owns nothing: `nobody`. */
export const nobody = 65_534;

/**
 * What `code` prints in a Bun of its own that is `nobody` by then, or this user where no one else can be had. The modules
 * are loaded before, as `imported`: Bun and a clone often lie in root's home, which others can't enter.
 */
export const printedByNobody = async (imported: Record<string, string>, code: string): Promise<string> => {
  const imports = Object.entries(imported).map(
    ([names, path]) => `const ${names} = await import(${JSON.stringify(path)});`,
  );
  const script = [...imports, ...(isRoot ? [becomeNobody] : []), code].join("\n");
  const child = Bun.spawn([process.execPath, "-e", script], { cwd: "/", stdout: "pipe", stderr: "inherit" });
  return await new Response(child.stdout).text();
};

const becomeNobody = `
  const id = { args: ["u32"], returns: "i32" };
  const { symbols } = (await import("bun:ffi")).dlopen("libc.so.6", {
    setgroups: { args: ["u64", "ptr"], returns: "i32" }, setgid: id, setuid: id,
  });
  if (symbols.setgroups(0, null) + symbols.setgid(${nobody}) + symbols.setuid(${nobody}) !== 0) process.exit(1);`;

/** The words that run a program as another user. It may still read all that root may, such as its own sources. */
export const asReader = (uid: number): string[] => [
  "setpriv",
  ...[`--reuid=${uid}`, `--regid=${uid}`, "--clear-groups"],
  ...["--inh-caps=+dac_override", "--ambient-caps=+dac_override", "--"],
];
