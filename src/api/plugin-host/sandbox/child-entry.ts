import { runPluginChild } from "./child/run-plugin-child.ts";

// What the server starts as a plugin's process when it runs from source.
await runPluginChild(process.argv[2] ?? "");
