/** Writes every page's markup to stdout as JSON; run by the build with NODE_ENV=production. */
import { renderPages } from "#ui/prerender.tsx";

process.stdout.write(JSON.stringify(await renderPages()));
