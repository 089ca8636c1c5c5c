/// <reference path="../ui/assets.d.ts" />
/// <reference path="./plugin-host/author/texts.d.ts" />
/// <reference path="./db/embedded/artefacts.d.ts" />
/** The type of the API, for `treaty<App>` of `@elysiajs/eden`: see docs/api/eden.md. */
export type { App } from "./app.ts";
