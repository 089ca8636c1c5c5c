import { existsSync } from "node:fs";
import { defineConfig } from "drizzle-kit";
import { own } from "./src/plugins/own.ts";

const listed: readonly { name: string }[] = own;

// The tables of listed features, in their schema and with a journal of their own.
export default defineConfig({
  dialect: "postgresql",
  schema: [
    "./src/api/db/own-schema.ts",
    ...listed.map(({ name }) => `./src/plugins/${name}/schema.ts`).filter((path) => existsSync(path)),
  ],
  out: "./drizzle/own",
  schemaFilter: ["app"],
});
