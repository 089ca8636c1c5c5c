import { afterAll } from "bun:test";
import { join } from "node:path";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { createImportBundle } from "./native/import-bundle.ts";
import { createStartNative } from "./native/start-native.ts";
import { describeRuntime } from "./runtime-contract.ts";
import { startSandbox } from "./sandbox/start-sandbox.ts";

const data = makeDataFolder();
afterAll(() => data.remove());

const importBundle = createImportBundle({ folder: join(data.path, "native"), log: createRecordingLog() });

describeRuntime("inside the server", createStartNative(importBundle));
describeRuntime("in a process", startSandbox);
