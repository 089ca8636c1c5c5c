import { createConfig, lintFromString } from "@redocly/openapi-core";

/** Every rule of the strict set except for three, and that each call has one tag, which the document explains. */
const config = await createConfig({
  extends: ["recommended-strict"],
  rules: {
    // Probes and files of the interface are never refused.
    "operation-4xx-response": "off",
    // Calls that send a browser on work with 302; that each call says what it answers when it works, a test of ours sees.
    "operation-2xx-response": "off",
    // The router prefers the path with more literal segments, such as `/invitations/{token}` to `/{provider}/callback`.
    "no-ambiguous-paths": "off",
    "operation-tag-defined": "error",
    "operation-singular-tag": "error",
  },
});

/** What the linter says of a document, with the places. */
export const lintDocument = async (document: object): Promise<string[]> => {
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: "/openapi.json", config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`);
};

/** The same of a document that a test's server answered: where that is, no other is meant to be. */
export const lintAnswered = (document: object): Promise<string[]> =>
  lintDocument({ ...document, servers: [{ url: "https://atrium.test" }] });
