import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import binaryen from "binaryen";
import { interpreterName, interpreterOutput } from "#api/plugin-host/sandbox/interpreter-place.ts";

/**
 * Makes the interpreter that plugins run in: QuickJS as its package has it, with a fuel gauge in every loop. Only so
 * does a loop inside the interpreter's own functions end, which never asks whether it may go on. The same package
 * gives the same bytes.
 */
export const buildInterpreter = async (): Promise<void> => {
  const bytes = await meterInterpreter();
  await mkdir(interpreterOutput, { recursive: true });
  // Under another name until it is whole: a plugin may be starting.
  const part = join(interpreterOutput, `${interpreterName}.part`);
  await Bun.write(part, bytes);
  await rename(part, join(interpreterOutput, interpreterName));
};

/** The metered interpreter. Throws when the package's code has a loop that cannot be metered. */
export const meterInterpreter = async (): Promise<Uint8Array> => {
  const source = fileURLToPath(import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"));
  const original = binaryen.readBinary(await Bun.file(source).bytes());
  const text = original.emitText();
  original.dispose();
  const metered = binaryen.parseText(meterText(text));
  const bytes = metered.emitBinary();
  metered.dispose();
  return bytes;
};

/** The module's text with a check at the head of each loop. When the fuel is used up, the host decides. */
export const meterText = (text: string): string => {
  const loops = text.match(/\(loop\b/g)?.length ?? 0;
  let meteredLoops = 0;
  const body = text.replace(/^ *\(loop \$\S+(?: \(result [a-z0-9]+\))?$/gm, (head) => {
    meteredLoops += 1;
    return `${head}\n${check}`;
  });
  const whole = body.replace(firstGlobal, (head) => `${declarations}\n${head}`);
  if (loops === 0 || meteredLoops !== loops || whole === body)
    throw new Error(`Only ${meteredLoops} of ${loops} loops of the interpreter could be metered`);
  return whole;
};

const check = `(global.set $fuel (i32.sub (global.get $fuel) (i32.const 1)))
(if (i32.lt_s (global.get $fuel) (i32.const 0)) (then (global.set $fuel (call $tick))))`;

// Imports come before everything else. `a` is what the package calls the module that it imports from.
const declarations = ` (import "a" "tick" (func $tick (result i32)))
 (global $fuel (mut i32) (i32.const 0))`;
const firstGlobal = /^ \(global /m;
