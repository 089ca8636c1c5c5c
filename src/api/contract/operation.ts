import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { Access, RouteScope, ScopeRight, StateChange } from "#api/door/access.ts";
import type { Kit } from "#api/modules/kit.ts";
import type { TokenScope } from "./api-tokens.ts";
import type { ErrorKind } from "./errors.ts";
import type { OperationCommand } from "./operation-commands.ts";
import type { Proof } from "./proof.ts";

/** The methods that operations are called with. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a request holds and what is answered. Made when first asked for, so that callers load no schema library. */
export type Schemas = {
  params?: TObject;
  query?: TObject;
  body?: TObject;
  headers?: TObject;
  /** What `data` holds, or the file. Without one a change answers its message alone. */
  answer?: TSchema;
};

/**
 * What is answered: `data`, the `message` of a change (with data, if any), the `fields` of an envelope of its own, the `bare`
 * answer without an envelope, or a file.
 */
export type Responds = "data" | "message" | "fields" | "bare" | "file";

/** A tool for assistants: what is written only for them. The rest is the operation's. */
export type OperationTool = {
  name: string;
  title: string;
  description: string;
  /** Which scope it needs, where the operation itself is open to everyone. */
  scope?: TokenScope;
  /** Input that the tool's name says already. */
  fixed?: { readonly [name: string]: boolean };
  /** The field that `confirm` has to repeat: what is done can't be undone. */
  confirms?: string;
  isDestructive?: true;
  /** Fields of the input that are not for it. */
  omits?: readonly string[];
};

/**
 * What a dry run knows once it was done: `description`, `before` and `after` are what the activity log would say was changed,
 * `descriptions` what it would say of each change where there are several.
 */
type Would<S> = {
  input: Flat<Part<S, "params"> & Part<S, "query"> & Part<S, "body"> & Part<S, "headers">>;
  data: S extends { answer: infer A extends TSchema } ? Static<A> : undefined;
  description: string;
  before: object;
  after: object;
  descriptions: readonly string[];
};

/** All facts of an operation, whoever needs them: server, clients, commands, tools, documents and tests. */
export type Facts<S extends Schemas, R extends Responds> = {
  access: Access;
  /** Which API tokens may call it; needed where `access` is `admin`. */
  scope?: RouteScope;
  scopeRight?: ScopeRight;
  /** `false` where no API token may call it, whatever its scopes. */
  tokens?: false;
  proof: Proof;
  /** Whether a session that lacks the proof may bring the password of the signed-in administrator in its body instead. */
  takesPassword?: true;
  /** Whether users who have to set up a second factor first may call it. */
  forEnrolment?: true;
  /** Whether it changes something, so that admins can ask for a dry run. */
  changes?: true;
  /** What authorizes a GET to change state. */
  stateChange?: StateChange;
  /** What its dry run says, beginning with "Would"; its summary and what the activity log would say unless given. */
  would?(done: Would<S>): string;
  /** Fields of its answer, or of what it changes, that no dry run may show. */
  conceals?: readonly string[];
  /** Whether calling it again changes nothing more. */
  isRepeatable?: true;
  /** Whether its answer may take minutes, so that callers wait and the connection stays open. */
  mayTakeLong?: true;
  responds: R;
  /** The status of success; 200 unless given. 202 is for what happens only once someone follows an emailed link. */
  status?: 201 | 202;
  /** The field of its input with which it creates something, so that its status is 201 instead. */
  createsWith?: string;
  schemas: (kit: Kit) => S;
  /** What the answer's schemas are called in the API's document where they are used more than once, by their place. */
  names?: { readonly [place: string]: string };
  /** The errors of its own. Those that others of its kind may answer, too, follow from the rest: see `generalFailures`. */
  errors?: readonly ErrorKind[];
  tag: string;
  summary: string;
  description: string;
  /** Input that is right as far as its form goes. */
  example?: { readonly [name: string]: unknown };
  /** A call that changes nothing, for the access tests, and the status that it gets from those who may make it. */
  probe: {
    params?: { readonly [name: string]: string };
    query?: { readonly [name: string]: string };
    body?: unknown;
    status: number;
  };
  commands?: readonly OperationCommand[];
  /**
   * A command, other than its own, that calls it, and what for: a row of the table of actions in the manual. `why`: that
   * command does the same in another way, or none is needed (`null`).
   */
  calledBy?: { command: string; action: string } | { command: string | null; action: string; why: string };
  /** Several where it does what assistants know as different things. */
  tool?: OperationTool | readonly OperationTool[];
};

/** An operation: its facts, and the request that it is called with. */
export type Operation<
  Endpoint extends string = `${Method} /${string}`,
  S extends Schemas = Schemas,
  R extends Responds = Responds,
> = Facts<S, R> & { endpoint: Endpoint };

/** Declares one operation: `operation("POST /api/admin/users/:user/disable", { … })`. */
export const operation = <
  const Endpoint extends `${Method} /${string}`,
  const S extends Schemas,
  const R extends Responds,
>(
  endpoint: Endpoint,
  facts: Facts<S, R>,
): Operation<Endpoint, S, R> => ({ endpoint, ...facts });

/** Is in examples where a secret does: tests put one in its place that must turn up nowhere. */
export const sampleSecret = "a-secret-of-theirs";

/** Whether there are dry runs of it: of changes that only admins or the operator make. */
export const hasPlan = ({ changes, access }: Pick<Operation, "changes" | "access">): boolean =>
  changes === true && (access === "admin" || access === "operator");

/** The operations of one module by name. */
export type Contract = { readonly [name: string]: Operation };

// Read off the member, not matched against the whole declaration: a tenth of the compiler's work.
type SchemasOf<O> = O extends { schemas: (kit: never) => infer S } ? S : never;
type Part<S, Name extends keyof Schemas> = S extends { [N in Name]: infer P extends TObject }
  ? Static<P>
  : unknown;
type Spare<T> = { [Name in keyof T]?: T[Name] | undefined };
type Flat<T> = { [Name in keyof T]: T[Name] };

/** What the operation gets: all parts of the request in one object, with defaults filled in. */
export type InputOf<O> = Flat<
  Part<SchemasOf<O>, "params"> &
    Part<SchemasOf<O>, "query"> &
    Part<SchemasOf<O>, "body"> &
    Part<SchemasOf<O>, "headers">
>;

/** What a caller gives: queries and headers may be left out, since they have defaults. */
export type CallInput<O> = Flat<
  Part<SchemasOf<O>, "params"> &
    Spare<Part<SchemasOf<O>, "query">> &
    Part<SchemasOf<O>, "body"> &
    Spare<Part<SchemasOf<O>, "headers">>
>;

/** What `data` holds; `undefined` for a change that answers its message alone. */
export type AnswerOf<O> = SchemasOf<O> extends { answer: infer A extends TSchema } ? Static<A> : undefined;

type Data<O> = SchemasOf<O> extends { answer: infer A extends TSchema } ? { data: Static<A> } : unknown;

/** The body of a successful answer. A file is a stream of bytes, for which each client has its own way. */
export type EnvelopeOf<O> = O extends { responds: "file" }
  ? never
  : O extends { responds: "data" }
    ? Flat<{ success: true } & Data<O>>
    : O extends { responds: "fields" }
      ? Flat<{ success: true } & AnswerOf<O>>
      : O extends { responds: "bare" }
        ? AnswerOf<O>
        : Flat<{ success: true; message: string } & Data<O>>;
