import { shellWord } from "./doctor/shell-word.ts";

/** What to do about a server that is in the way. */
export const stopIt = "stop it first, as with: systemctl stop atrium";

/** How a server is started again. A unit comes first: what `serve` writes as root the unit's own user could not read. */
export const startIt = "systemctl start atrium; without a unit: atrium serve";

/** How a server is started on a data folder. */
export const serveIt = (dataDir: string): string => `atrium serve --data-dir ${shellWord(dataDir)}`;
