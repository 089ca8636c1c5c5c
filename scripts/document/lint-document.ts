import { createConfig, lintFromString } from "@redocly/openapi-core";
import { lintRules } from "./lint-rules.ts";

const config = await createConfig(lintRules);

/** What the linter says of a document, with the places. */
export const lintDocument = async (document: object): Promise<string[]> => {
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: "/openapi.json", config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`);
};

/** The same of a document that a test's server answered: where that is, no other is meant to be. */
export const lintAnswered = (document: object): Promise<string[]> =>
  lintDocument({ ...document, servers: [{ url: "https://atrium.test" }] });
