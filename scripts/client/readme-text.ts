/** What lies beside the client for whoever unpacks it. */
export const readmeText = `# @atrium/client

Typed client for the API of Atrium: ES modules and types, without dependencies, for Node 20.3 and newer, Bun and
browsers. Generated from the description of the API (\`/swagger/json\`) of the version that its package.json names.

\`\`\`ts
import { AtriumError, createClient } from "@atrium/client";

const atrium = createClient({ url: "https://atrium.example", token: process.env.ATRIUM_TOKEN });

for (const plugin of await atrium.plugins.list()) console.log(plugin.name, plugin.enabled);

try {
  await atrium.plugins.toggle("firewall", { enabled: true });
} catch (error) {
  if (error instanceof AtriumError && error.code === "CONSENT_REQUIRED") console.log(error.data);
  else throw error;
}
\`\`\`
`;
