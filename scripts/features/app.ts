/** `bun run atrium app check`: what own features import of Atrium beyond its stable surface, which a new version may change. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";

/** The imports of a file, of types too, that reach past the stable surface. */
const reachesOf = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)]
    .map(([, module = ""]) => module)
    .filter((module) => /^#(?!app(?:\/|$))/.test(module) || module.startsWith("../"));

const plugins = join(projectRoot, "src/plugins");
const features = readdirSync(plugins).filter((name) => existsSync(join(plugins, name, "feature.ts")));

if (process.argv.slice(2).join(" ") !== "check") {
  console.error("Usage: bun run atrium app check");
  process.exit(1);
}
const reaches = features
  .flatMap((feature) =>
    readdirSync(join(plugins, feature), { recursive: true, encoding: "utf8" }).map(
      (file) => `${feature}/${file}`,
    ),
  )
  .filter((file) => /\.tsx?$/.test(file))
  .sort()
  .flatMap((file) =>
    reachesOf(readFileSync(join(plugins, file), "utf8")).map((module) => `src/plugins/${file}: ${module}`),
  );
for (const reach of reaches) console.log(reach);
console.log(`reaches in: ${reaches.length}`);
if (reaches.length > 0)
  console.log(
    "A new version of Atrium may change these without notice; look at them first when you merge one.",
  );
