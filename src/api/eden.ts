/// <reference path="../ui/assets.d.ts" />
/// <reference path="./plugin-host/author/texts.d.ts" />
/// <reference path="./db/embedded/artefacts.d.ts" />
import type { Static, TObject } from "@sinclair/typebox";
import type { EnvelopeOf } from "#contract/operation.ts";
import type { own } from "#plugins/own.ts";
import type { App as DeclaredApp } from "./app.ts";
import type { contracts } from "./operations.ts";

/** The type of the API, for `treaty<App>` of `@elysiajs/eden`: see docs/api/eden.md. */
export type App = DeclaredApp & { "~Routes": OperationRoutes };

/** The routes of operations as Elysia has them: a tree of the parts of their paths, with what each takes and answers. */
type OperationRoutes = Both<
  TreeOf<ValuesOf<{ [M in keyof Contracts]: ValuesOf<Contracts[M]> }> | OwnOperations>
>;
type Contracts = typeof contracts;
type OwnOperations = ValuesOf<(typeof own)[number]["contract"]>;

type TreeOf<O> = O extends { endpoint: `${infer Method} /${infer Path}` }
  ? Nested<Path, { [M in Lowercase<Method>]: RouteOf<O> }>
  : never;

type Nested<Path extends string, Route> = Path extends `${infer Head}/${infer Rest}`
  ? { [Name in Head]: Nested<Rest, Route> }
  : { [Name in Path]: Route };

type RouteOf<O> = {
  params: Part<O, "params", object>;
  query: Part<O, "query", object>;
  body: Part<O, "body", unknown>;
  headers: Part<O, "headers", object>;
  // Of a 201, too: Eden gives the same data for each status of success.
  response: { 200: EnvelopeOf<O> };
};

type Part<O, Name extends string, Otherwise> = O extends {
  schemas: (kit: never) => { [N in Name]: infer P extends TObject };
}
  ? Static<P>
  : Otherwise;

type ValuesOf<T> = T[keyof T];

/** The intersection of all members of a union. */
type Both<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer All) => void ? All : never;
