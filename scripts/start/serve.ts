/** The server of a clone: what it shows is built while it opens its database. */
import { main } from "#cli/main.ts";
import { buildMeanwhile } from "./build-meanwhile.ts";

void main(["serve", ...process.argv.slice(2)], buildMeanwhile);
