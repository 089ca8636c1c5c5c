import { createConfig, lintFromString } from "@redocly/openapi-core";
import { lintRules } from "./lint-rules.ts";

const config = await createConfig(lintRules);

/** What the linter says of a document, with the places; its server is a test's, and stands for the one that is meant to be there. */
export const lintDocument = async (document: object): Promise<string[]> => {
  const source = JSON.stringify({ ...document, servers: [{ url: "https://atrium.test" }] });
  const problems = await lintFromString({ source, absoluteRef: "/openapi.json", config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`);
};
