/**
 * Makes the interpreter that plugins run in: `bun scripts/build-interpreter.ts`, by hand whenever package.json names
 * another version of QuickJS. Tests tell when it is due.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import binaryen from "binaryen";
import { interpreterFile } from "#api/plugin-host/sandbox/child/interpreter-file.ts";
import packageJson from "../package.json" with { type: "json" };

/**
 * QuickJS as its package has it, with a fuel gauge in every loop and a word to the host about each rejected promise. Only
 * so does a loop inside the interpreter's own functions end, which never checks whether it may continue. The same package gives
 * the same bytes. Throws when its code has a loop that cannot be metered.
 */
export const meterInterpreter = async (): Promise<Uint8Array> => {
  const source = fileURLToPath(import.meta.resolve(`${quickjs}/wasm`));
  const original = binaryen.readBinary(await Bun.file(source).bytes());
  const text = original.emitText();
  original.dispose();
  const metered = binaryen.parseText(tellRejections(meterText(text)));
  const bytes = metered.emitBinary();
  metered.dispose();
  return bytes;
};

const quickjs = "@jitl/quickjs-wasmfile-release-sync";

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

/**
 * The module's text with the two places where QuickJS tells of a promise that was rejected without a handler, and of
 * one that got its handler later. The package offers no way to listen there, so that they are never come by.
 */
export const tellRejections = (text: string): string => {
  const type = rejectionType.exec(text)?.[1];
  if (type === undefined) throw new Error("The interpreter has no listener for rejected promises");
  let places = 0;
  const whole = text.replace(rejectionPlace, (place, unlessSet: string, called: string) => {
    if (called !== type) return place;
    places += 1;
    return `(i32.and (i32.const 0)${unlessSet}(call $rejection`;
  });
  if (places !== 2 || whole.includes(`(call_indirect (type ${type})`))
    throw new Error(`${places} of 2 places were found where the interpreter tells of rejected promises`);
  return whole;
};

// Of QuickJS's `JSHostPromiseRejectionTracker`: context, promise, reason, whether it is handled now, and a pointer.
const rejectionType = /\(type (\$\S+) \(func \(param i32 i64 i64 i32 i32\)\)\)/;
// Skipped unless `context->rt->host_promise_rejection_tracker` is set; that becomes the call's last argument.
const rejectionPlace =
  /\(i32\.eqz(\s+\(local\.tee \$\S+\s+\(i32\.load offset=\d+\s+\(local\.tee \$\S+\s+\(i32\.load offset=\d+\s+\(local\.get \$0\)[\s)]+)\(call_indirect \(type (\$\S+)\)/g;

const check = `(global.set $fuel (i32.sub (global.get $fuel) (i32.const 1)))
(if (i32.lt_s (global.get $fuel) (i32.const 0)) (then (global.set $fuel (call $tick))))`;

// Imports come before everything else. `a` is what the package calls the module that it imports from.
const declarations = ` (import "a" "tick" (func $tick (result i32)))
 (import "a" "rejection" (func $rejection (param i32 i64 i64 i32 i32 i32)))
 (global $fuel (mut i32) (i32.const 0))`;
const firstGlobal = /^ \(global /m;

if (import.meta.main) {
  const bytes = await meterInterpreter();
  const madeFrom = {
    package: quickjs,
    version: packageJson.dependencies[quickjs],
    sha256: Bun.SHA256.hash(bytes, "hex"),
  };
  await Bun.write(interpreterFile, bytes);
  await Bun.write(join(interpreterFile, "../made-from.json"), `${JSON.stringify(madeFrom, null, 2)}\n`);
}
