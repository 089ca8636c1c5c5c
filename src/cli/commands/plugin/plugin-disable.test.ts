import { describe, expect, test } from "bun:test";
import { ok, plugin } from "#cli/testing/plugins.ts";
import { run, type World } from "#cli/testing/run.ts";

describe("plugin disable", () => {
  test("says which others went off with it, and of none that was off before", async () => {
    const off = { ...plugin, enabled: false, state: "disabled" };
    const named = (name: string, one: object) => ({ ...one, name });
    let isOff = false;
    const { out, err } = await run(["plugin", "disable", "notes"], {
      answer: ({ method }) => {
        if (method !== "GET") isOff = true;
        const changed = isOff ? off : plugin;
        const list = [changed, named("more", changed), named("idle", off), named("other", plugin)];
        return ok(method === "GET" ? list : off);
      },
    });
    expect(out).toBe("Notes: disabled\n");
    expect(err).toBe("Also disabled: more\n");
  });

  describe("of one that others need", () => {
    const named = (name: string, dependsOn: string[], enabled = true) => ({
      ...plugin,
      ...{ name, title: name.toUpperCase(), dependsOn, enabled },
    });
    const listed = [
      ...[named("notes", []), named("more", ["notes"]), named("most", ["more"])],
      ...[named("idle", ["notes"], false), named("other", [])],
    ];
    const answer = ({ method }: Request) => ok(method === "GET" ? listed : { ...listed[0], enabled: false });
    const disable = (name: string, words: string[] = [], world: World = {}) =>
      run(["plugin", "disable", name, ...words], { answer, ...world });
    const changes = (calls: Request[]) => calls.filter(({ method }) => method !== "GET").length;

    test("asks first, and names those that go off with it, by way of others too", async () => {
      const no = await disable("notes", [], { typed: ["n"] });
      expect([no.code, changes(no.calls)]).toEqual([1, 0]);
      expect(no.err).toStartWith("Disable NOTES and the plugins that need it: MOST, MORE? [y/N]: ");
      const yes = await disable("notes", [], { typed: ["y"] });
      expect([yes.code, changes(yes.calls)]).toEqual([0, 1]);
    });

    test("ends with 2 without a terminal, unless --yes is given", async () => {
      const silent = await disable("notes");
      expect([silent.code, silent.out, changes(silent.calls)]).toEqual([2, "", 0]);
      expect(silent.err).toContain("--yes");
      expect(changes((await disable("notes", ["--yes"])).calls)).toBe(1);
    });

    test("nothing is asked about one that nothing enabled needs, or that is off already", async () => {
      for (const name of ["most", "other", "idle"]) {
        const { code, calls } = await disable(name);
        expect([name, code, changes(calls)]).toEqual([name, 0, 1]);
      }
    });
  });
});
