import {
  type Facts,
  type Method,
  type Operation,
  type OperationCommand,
  operation,
  type Responds,
  type Schemas,
} from "./operation.ts";

/** What follows from the rest unless it is given. */
type Derived = "tag" | "proof";

/** The facts of an operation of a feature, whose commands are all under the word of the feature. */
type OwnFacts<S extends Schemas, R extends Responds> = Omit<Facts<S, R>, Derived | "commands"> &
  Partial<Pick<Facts<S, R>, Derived>> & { commands?: readonly (OperationCommand & { group?: never })[] };

/**
 * Declares one operation of a feature: `ownOperation("GET /api/notes", { … })`. The name of its group in the API's document
 * follows from the request; `proof` is `none`, and tokens need the scope for everything, unless it says otherwise.
 */
export const ownOperation = <
  const Endpoint extends `${Method} /${string}`,
  const S extends Schemas,
  const R extends Responds,
>(
  endpoint: Endpoint,
  facts: OwnFacts<S, R>,
): Operation<Endpoint, S, R> => {
  const [, path = ""] = endpoint.split(" ");
  const scope = facts.access === "admin" ? ({ scope: "all" } as const) : {};
  return operation<Endpoint, S, R>(endpoint, {
    ...{ proof: "none", tag: tagOf(path) },
    ...scope,
    ...facts,
  });
};

/** `/api/sales-teams/:id` is of the group "Sales teams". */
const tagOf = (path: string): string => {
  const words = (path.split("/")[2] ?? "").replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};
