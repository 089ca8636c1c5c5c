import { scopeOf } from "#api/http/route-table.ts";
import { moduleOf } from "../src/api/contract/define-feature.ts";
import type { Contract, Operation } from "../src/api/contract/operation.ts";
import { kit } from "../src/api/modules/kit.ts";
import { contracts, coreOperations, features, ownComplaint } from "../src/api/operations.ts";
import { projectRoot } from "./project-root.ts";

/** The files that follow from the contracts, by their paths. A test compares them. */
export const operationTable = (): Record<string, string> => ({
  "src/api/contract/calls.ts": callsText(),
  "docs/api/operations.txt": listText(),
  "src/plugins/own-calls.ts": ownCallsText(),
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
    ...Object.entries(contracts).flatMap(([module, contract]) => linesOf(module, contract)),
    "} as const;",
    "",
  ].join("\n");

/** The same of own features, with who may call each: no version of Atrium changes that file. */
const ownCallsText = (): string => {
  const lines = features.flatMap((feature) =>
    linesOf(moduleOf(feature), feature.contract, ({ access, proof, changes }) =>
      [" // access", access, "proof", proof, ...(changes ? ["changes"] : [])].join(" "),
    ),
  );
  return [
    "// Written by scripts/write-operations.ts from the contracts of own features, with who may call each: look at each change of it.",
    lines.length === 0 ? "export const ownCalls = {} as const;" : "export const ownCalls = {",
    ...(lines.length === 0 ? [] : [...lines, "} as const;"]),
    "",
  ].join("\n");
};

const linesOf = (
  module: string,
  contract: Contract,
  note: (operation: Operation) => string = () => "",
): string[] => [
  `  ${module}: {`,
  ...Object.entries(contract).map(
    ([name, operation]) => `    ${name}: ${JSON.stringify(callOf(operation))},${note(operation)}`,
  ),
  "  },",
];

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
    ...coreOperations
      .map(({ id, operation: { endpoint, proof, changes, ...hooks } }) => {
        const [method = "", path = ""] = endpoint.split(" ");
        const scope = hooks.access === "admin" ? scopeOf({ method, path, hooks }) : "-";
        return [id, endpoint, hooks.access, scope, proof, changes ? "changes" : "-"].join("  ");
      })
      .toSorted(),
    "",
  ].join("\n");

if (import.meta.main) {
  const complaint = ownComplaint();
  if (complaint !== null) {
    console.error(complaint);
    process.exit(1);
  }
  for (const [path, text] of Object.entries(operationTable()))
    await Bun.write(`${projectRoot}/${path}`, text);
}
