/** The backend of a new plugin. */
export const starterBackend = `import type { PluginDefinition } from "../atrium-plugin.d.ts";
import { name, version } from "../plugin.json";

const plugin: PluginDefinition = {
  name,
  version,
  setup(ctx) {
    ctx.routes.get("/greeting", { summary: "Greets, and counts" }, async ({ user }) => {
      const count = await ctx.kv.incr("greetings");
      ctx.log("info", \`greeted, \${count} times so far\`);
      return { text: \`\${ctx.settings.get("greeting")}, \${user?.name ?? "operator"}!\`, count };
    });
  },
};

export default plugin;
`;

/** Its page. */
export const starterFrontend = `import type { FrameFrontend } from "../atrium-plugin.d.ts";
import { name, version } from "../plugin.json";

const frontend: FrameFrontend = {
  name,
  version,
  mount(root, api) {
    const button = document.createElement("button");
    button.className = "rounded-md bg-primary px-4 py-2 text-primary-foreground";
    button.textContent = "Greet me";
    const answer = document.createElement("p");
    answer.className = "mt-4 text-foreground";
    answer.setAttribute("role", "status");
    button.addEventListener("click", async () => {
      answer.textContent = JSON.stringify(await api.call("GET", "/greeting"));
    });
    root.append(button, answer);
  },
};

export default frontend;
`;

/** Its test. */
export const starterTest = `import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { startPlugin, type TestedPlugin } from "./atrium-testing.ts";

const folder = join(import.meta.dir, "..");
let plugin: TestedPlugin | undefined;
// A plugin that could not be started has nothing to stop.
afterEach(() => plugin?.stop());

test("greets with the words of the settings, and counts", async () => {
  plugin = await startPlugin(folder, { settings: { greeting: "Good day" } });
  await plugin.call("GET", "/greeting");
  const { status, body } = await plugin.call("GET", "/greeting");
  expect(status).toBe(200);
  expect(body).toEqual({ text: "Good day, Test admin!", count: 2 });
});

test("is not for everybody", async () => {
  plugin = await startPlugin(folder);
  expect(await plugin.call("GET", "/greeting", { user: null })).toMatchObject({ status: 401 });
});
`;
