/** The hash of a sign-in and nothing else: each request checks one password with the product's own parameters. */
import { createPasswordHasher } from "#api/adapters/password-hasher.ts";

const password = "a rather fine long password";
const hasher = createPasswordHasher();
const hash = await hasher.hash(password);
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: async () => Response.json({ isRight: await hasher.verify(password, hash) }),
});
console.log(`listening on ${server.url.origin}`);
