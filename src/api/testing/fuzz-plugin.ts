import type { LivePlugin } from "#api/plugin-host/runtime.ts";
import type { Json, RouteAnswer } from "#plugins/sdk/types.ts";
import { startLivePlugin } from "./live-plugin.ts";

/** Where the routes of the plugin are that calls at random are made of. */
export const fuzzPluginName = "guest-book";

const answering = (schema: Json): { 200: RouteAnswer } => ({ 200: { description: "It went well", schema } });
const object = (properties: Record<string, Json>): Json => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});
const text = { type: "string", minLength: 1, maxLength: 200 };
const note = { text, stars: { type: "integer", minimum: 1, maximum: 5 } };

/** A plugin with routes for everyone, for people with an account and for admins, all of which say what they answer. */
export const startFuzzPlugin = (): Promise<LivePlugin> =>
  startLivePlugin({
    name: fuzzPluginName,
    manifest: { title: "Guest book" },
    setup: (ctx) => {
      ctx.routes.get(
        "/",
        {
          access: "public",
          query: { type: "object", properties: { name: { type: "string", maxLength: 40 } } },
          answers: answering(object({ greeting: { type: "string" } })),
        },
        ({ query }) => ({ greeting: `Hello, ${query.name ?? "stranger"}` }),
      );
      ctx.routes.post(
        "/notes",
        {
          access: "user",
          body: { ...Object(object(note)), additionalProperties: false },
          answers: {
            201: { description: "It is kept", schema: object({ ...note, by: { type: ["string", "null"] } }) },
          },
        },
        ({ body, user }) => ctx.respond({ status: 201, json: { ...Object(body), by: user?.id ?? null } }),
      );
      ctx.routes.put(
        "/notes/:id",
        { body: object(note), answers: answering(object({ id: { type: "string" } })) },
        ({ params }) => ({ id: params.id ?? "" }),
      );
      ctx.routes.delete("/notes/:id", { answers: { 204: { description: "It is gone" } } }, () => undefined);
      ctx.routes.patch("/anything", { access: "public", answers: answering({}) }, ({ body }) => body);
    },
  });
