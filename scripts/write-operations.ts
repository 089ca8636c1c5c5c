import type { Operation } from "../src/api/contract/operation.ts";
import { scopeOf } from "../src/api/http/target.ts";
import { kit } from "../src/api/modules/kit.ts";
import { contracts, operations } from "../src/api/operations.ts";
import { projectRoot } from "./project-root.ts";

/** The files that follow from the contracts, by their paths. A test compares them. */
export const operationTable = (): Record<string, string> => ({
  "src/api/contract/calls.ts": callsText(),
  "docs/api/operations.txt": listText(),
});

/** The only part of the contracts that pages load. */
const callsText = (): string =>
  [
    "// Written by scripts/write-operations.ts from the contracts.",
    "/**",
    " * What each operation is called with: method, path below `/api`, `=` where it takes a body, and the names whose place does not",
    " * follow from that: `?name` is in the query, `#name` a header. What is neither is in the body, or without one in the query. `~`",
    " * says that the answer may take minutes.",
    " */",
    "export const calls = {",
    ...Object.entries(contracts).flatMap(([module, contract]) => [
      `  ${module}: {`,
      ...Object.entries<Operation>(contract).map(
        ([name, operation]) => `    ${name}: ${JSON.stringify(callOf(operation))},`,
      ),
      "  },",
    ]),
    "} as const;",
    "",
  ].join("\n");

const callOf = ({ endpoint, schemas, mayTakeLong }: Operation): string => {
  const { query, body, headers } = schemas(kit);
  const named = (sign: string, part: typeof query) =>
    Object.keys(part?.properties ?? {}).map((name) => sign + name);
  const asked = body === undefined ? [] : ["=", ...named("?", query)];
  const call = endpoint.replace(" /api/", " /");
  return [call, ...(mayTakeLong ? ["~"] : []), ...asked, ...named("#", headers)].join(" ");
};

/** Who may call what, for reviewing changes. */
const listText = (): string =>
  [
    "Written by scripts/write-operations.ts from the contracts: who may call each operation, with which scope of a token,",
    "and with which proof. Each change of it is to be looked at.",
    "",
    ...operations
      .map(({ id, operation: { endpoint, proof, changes, ...hooks } }) => {
        const [method = "", path = ""] = endpoint.split(" ");
        const scope = hooks.access === "admin" ? scopeOf({ method, path, hooks }) : "-";
        return [id, endpoint, hooks.access, scope, proof, changes ? "changes" : "-"].join("  ");
      })
      .toSorted(),
    "",
  ].join("\n");

if (import.meta.main)
  for (const [path, text] of Object.entries(operationTable()))
    await Bun.write(`${projectRoot}/${path}`, text);
