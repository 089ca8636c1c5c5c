import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { Access, RouteScope, ScopeRight, StateChange } from "#api/door/access.ts";
import type { Kit } from "#api/modules/kit.ts";
import type { TokenScope } from "./api-tokens.ts";
import type { ErrorKind } from "./errors.ts";
import { limits } from "./limits.ts";
import type { CommandArgument, CommandOption, RawCommand } from "./plugin-commands.ts";
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
  /**
   * A call that changes nothing, for the access tests, and the status that it gets from those who may make it. Unless given: about
   * `none`, which gets 404, or with a body without fields, which gets 422; a call that takes neither gets 200.
   */
  probe?: {
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

/**
 * A command that calls an operation, in the language of plugins' commands. Its name may begin with a word of its group, as in
 * `retention show`. The request is the operation's, and so is whether the command has `--plan` or, for a file, `--out`.
 */
export type OperationCommand = Omit<
  RawCommand,
  "call" | "confirm" | "input" | "arguments" | "options" | "examples"
> & {
  /** The name of the group that it is in, unless that is its module's. */
  group?: string;
  arguments?: readonly OperationArgument[];
  options?: readonly OperationOption[];
  examples: readonly { summary: string; typed: string }[];
  /** What it does for the table of what administrators do, such as "Delete a message"; its summary unless given. */
  action?: string;
  /** Input that the command's name says already. */
  fixed?: { readonly [name: string]: string | number | boolean };
  /**
   * Asked before; `{field}` stands for a field of what `reads`, an operation of the same module, answers, or without one of
   * what was looked up or typed. A question that data can't say has a view.
   */
  asks?: { question?: string; reads?: string };
  /**
   * What is printed when it is done; `{field}` stands for a field of the answer, `<field>` for one of the input, and of a file
   * `{size}` and `{file}` for how large it is and where it went. Commands without it, and without `output`, have a view.
   */
  message?: string;
  /** The field of the answer that it prints, where that is not all of it. */
  prints?: string;
  /** What is shown while it works, which may take minutes and can be interrupted: "making the snapshot", with fields of the input. */
  step?: string;
  /** Its `--ndjson`: prints each of `rows`, a field of the answer, as a line of JSON. */
  lines?: { rows: string; summary: string };
  /** It makes an installation where there is none; what a plan says there, with fields of the input. */
  begins?: string;
};

/** What words behind a command's name can be looked up as. */
export type Lookup = "account" | "registration" | "token" | "key";

/** A word behind such a command's name. */
export type OperationArgument = Pick<CommandArgument, "name" | "summary"> & {
  /** Whether it has to be typed; so it is unless given. */
  required?: boolean;
  /** The input that it is, where that is not called as it is. */
  field?: string;
  /** The only ones that it may be. */
  values?: readonly string[];
  /** Whether several may be typed; a view reads them. */
  repeats?: true;
  /** What it is looked up as. */
  finds?: Lookup;
};

/** An option of such a command. */
export type OperationOption = Pick<CommandOption, "name" | "summary"> & {
  /**
   * A number is whole, from `least` to `most`. A list is of words with commas, and the option may be repeated. A moment is a
   * date, a time or a span back from now.
   */
  type?: CommandOption["type"] | "list" | "moment";
  values?: readonly string[];
  /** What help shows for its value: `--limit <rows>`. */
  value?: string;
  /** The field of the input that it sets, unless that has its name. */
  field?: string;
  /** Whether only the command knows what to do with it, so that it is no input. */
  isOwn?: true;
  least?: number;
  most?: number;
  /** Its value unless given. */
  initial?: string | number;
  /** Whether it may be given more than once. */
  repeats?: true;
  required?: true;
};

/** Where a file goes; commands whose operation answers one have it behind their options, unless they give its place. */
export const outOption: OperationOption = {
  ...{ name: "out", value: "file" },
  summary: "write to this file instead of standard output, completely or not at all",
  isOwn: true,
};

/** How many rows of a list are wanted. */
export const limitOption: OperationOption = {
  ...{ name: "limit", value: "rows", type: "integer", least: 1, most: limits.pageSizeMax },
  summary: "how many to list, 1 to 100 (default: 25)",
};

/** Which page of a list is wanted. */
export const pageOptions: readonly OperationOption[] = [
  limitOption,
  {
    ...{ name: "offset", value: "rows", type: "integer", least: 0 },
    summary: "how many to skip (default: 0)",
  },
];

/** The word under which the commands of a module are, and what is said of them. */
export type CommandGroup = {
  word: string;
  summary: string;
  description: string;
  /** The words below it. */
  groups?: { readonly [word: string]: { summary: string; description: string } };
};
