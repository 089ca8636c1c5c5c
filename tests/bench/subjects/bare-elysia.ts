/** The least that Elysia can do: one compiled route with a JSON answer, and no other hook. */
import { Elysia } from "elysia";
import { sampleUser } from "./sample-user.ts";

const app = new Elysia().get("/api/auth/user", () => sampleUser).compile();
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch });
console.log(`listening on ${server.url.origin}`);
