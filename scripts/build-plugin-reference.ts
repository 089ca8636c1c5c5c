/** Writes what is made of the plugin SDK's types: `bun scripts/build-plugin-reference.ts`. A test tells when it is due. */
import { sdkOutputs } from "./plugin-reference/sdk-outputs.ts";

for (const [path, text] of await sdkOutputs()) {
  await Bun.write(path, text);
  console.log(`Wrote ${path}`);
}
