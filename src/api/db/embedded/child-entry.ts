import { runDatabaseChild } from "./child.ts";

// What the server starts as its database process when it runs from source.
await runDatabaseChild(process.argv[2] ?? "");
