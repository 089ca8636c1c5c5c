/** The least that Bun can do: one JSON answer, no framework, nothing in front of it. */
import { sampleUser } from "./sample-user.ts";

const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json(sampleUser) });
console.log(`listening on ${server.url.origin}`);
