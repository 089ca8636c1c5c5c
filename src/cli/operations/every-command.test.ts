import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { declared } from "#cli/testing/command-lines.ts";
import { type CommandWorld, createCommandWorld } from "#cli/testing/command-world.ts";
import { refusal, run, type World } from "#cli/testing/run.ts";

let world: CommandWorld;
beforeAll(async () => {
  world = await createCommandWorld();
});
afterAll(() => world.close());

const typedAs = ({ words, typed, isFile }: (typeof declared)[number]): string[] => [
  ...[...words.split(" "), ...typed(world)],
  ...(/^(?:admin|user) create$/.test(words) ? ["--password-stdin"] : []),
  ...(isFile ? ["--out", "/nonexistent/file"] : []),
];
const real = (): World => ({ answer: world.answer, input: "correct-horse-battery" });

describe("what the API refuses ends with 1 and its sentence:", () => {
  for (const command of declared.filter(({ isFile }) => !isFile))
    test(command.words, async () => {
      const answer = () => refusal(500, "INTERNAL", "No.");
      const outcome = await run([...typedAs(command), "--yes"], { ...real(), answer });
      expect({ code: outcome.code, out: outcome.out, err: outcome.err }).toEqual({
        code: 1,
        out: "",
        err: "error: No.\n  requestId req-1\n",
      });
      expect(outcome.isClosed).toBe(true);
    });
});

const asking: readonly string[] = [
  ...["activity cleanup", "activity retention set", "backup remove", "contact delete", "mail discard"],
  ...["plugin delete-retained", "plugin discard", "plugin keys add", "plugin keys revoke", "plugin keys set"],
  ...["plugin remove", "settings revert", "token revoke"],
  ...["user delete", "user disable", "user remove-pending"],
];

describe("what cannot be taken back is asked first, and nothing is changed without a yes:", () => {
  for (const command of declared.filter(({ words }) => asking.includes(words)))
    test(command.words, async () => {
      const declined = await run(typedAs(command), { ...real(), typed: ["n"] });
      expect({ code: declined.code, out: declined.out }).toEqual({ code: 1, out: "" });
      expect(declined.err).toEndWith(" [y/N]: error: canceled; nothing was changed\n");
      const alone = await run(typedAs(command), real());
      expect({ code: alone.code, out: alone.out }).toEqual({ code: 2, out: "" });
      expect(alone.err).toContain("--yes");
      for (const { method } of [...declined.calls, ...alone.calls]) expect(method).toBe("GET");
    });
});
