/** The least that a route which asks PostgreSQL once can do; `/select-1-ms` answers how long such a question takes when no one else asks. */
import postgres from "postgres";
import { median } from "../measure/interleave.ts";
import { sampleUser } from "./sample-user.ts";

const sql = postgres(process.env.DATABASE_URL ?? "", { max: 1, fetch_types: false });
const questions = 1_000;

const medianMs = async (): Promise<number> => {
  const waitsMs: number[] = [];
  while (waitsMs.length < questions) {
    const begun = performance.now();
    await sql`select 1`;
    waitsMs.push(performance.now() - begun);
  }
  return median(waitsMs);
};

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: async (request) => {
    if (new URL(request.url).pathname === "/select-1-ms") return new Response(String(await medianMs()));
    await sql`select 1`;
    return Response.json(sampleUser);
  },
});
console.log(`listening on ${server.url.origin}`);
