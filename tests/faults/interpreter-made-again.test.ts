import { describe, expect, test } from "bun:test";
import { interpreterFile } from "#api/plugin-host/sandbox/child/interpreter-file.ts";
import { meterInterpreter, meterText } from "../../scripts/build-interpreter.ts";

describe("the plugins' interpreter", () => {
  test("is what its script makes of the installed package", async () => {
    const again = await meterInterpreter();
    const kept = await Bun.file(interpreterFile).bytes();
    expect(Bun.SHA256.hash(again, "hex")).toBe(Bun.SHA256.hash(kept, "hex"));
  }, 120_000);

  test("is not made when a loop of it could not be metered", () => {
    const text = " (global $a (mut i32) (i32.const 0))\n  (loop $label\n  )\n";
    expect(meterText(text).match(/call \$tick/g)).toHaveLength(1);
    expect(() => meterText(`${text}  (loop (result f32 f32)\n  )\n`)).toThrow("Only 1 of 2 loops");
    expect(() => meterText("(module)")).toThrow("0 of 0 loops");
  });
});
