import { afterAll } from "bun:test";
import { join } from "node:path";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { nativeHostOf } from "#api/testing/native-host.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { describeRuntime } from "#api/testing/runtime-contract.ts";
import { describeRuntimeLife } from "#api/testing/runtime-life-contract.ts";
import { createImportBundle, createStartNative } from "./native/start-native.ts";
import { startSandbox } from "./sandbox/start-sandbox.ts";

const data = makeDataFolder();
afterAll(() => data.remove());

const importBundle = createImportBundle({ folder: join(data.path, "native"), log: createRecordingLog() });

for (const [kind, start] of [
  ["inside the server", createStartNative(importBundle, nativeHostOf)],
  ["in a process", startSandbox],
] as const) {
  describeRuntime(kind, start);
  describeRuntimeLife(kind, start);
}
