import { join } from "node:path";

const projectRoot = join(import.meta.dir, "..", "..");

/** The executable, where `bun run build` puts it. */
export const executable: string = join(projectRoot, "dist/atrium");

/**
 * The command that suites drive: the product from its sources, or the executable where the suite wants that. A clone of
 * another version, `root`, has sources alone.
 */
export const programIn = (root?: string): readonly string[] =>
  process.env.TEST_PROGRAM === "executable" && root === undefined
    ? [executable]
    : [process.execPath, join(root ?? projectRoot, "src/cli/main.ts")];
