import { runPluginChild } from "./child/run-plugin-child.ts";

// The plugin process that the server starts when it runs from source.
await runPluginChild(process.argv[2] ?? "");
