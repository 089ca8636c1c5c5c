import { AppError, validationError } from "#api/core/app-error.ts";
import { admit, type TracedRequest } from "#api/door/door.ts";
import { tokenTexts } from "#contract/api-tokens.ts";
import { pathPart } from "#contract/create-client.ts";
import { fieldTexts } from "#contract/errors.ts";
import { limits } from "#contract/limits.ts";
import { mcpTexts } from "#contract/mcp.ts";
import { checkQuery } from "../body.ts";
import { failureOf, toAppError } from "../errors.ts";
import { isChange } from "../origin.ts";
import type { PageServer } from "../pages/page-server.ts";
import { isCanonicalPath, type RouteTable } from "../target.ts";
import { isFields, RpcError, type RpcFields } from "./rpc.ts";
import { mayUse, packageField, type ReadyTool, type Toolbox } from "./toolbox.ts";

type CallToolOptions = {
  routes: RouteTable;
  tools: Toolbox;
  /** Elysia's own entrance, for requests that were admitted. */
  answer: (request: Request) => Response | Promise<Response>;
  /** Why writes would fail at this moment, or `null`. */
  writeObstacle: () => AppError | null;
};

/** The result of a tool: the response of its request, also for failures. */
type ToolOutcome = { body: unknown; isError: boolean };

/** Lets the actor use a tool. */
type CallTool = (incoming: TracedRequest, tool: ReadyTool, given: RpcFields) => Promise<ToolOutcome>;

/**
 * Makes the call that a tool stands for, by its own route in this process: arguments are checked, rights asked for,
 * failures worded and changes recorded as for everyone else's call. The activity log is told of that call.
 */
export const createCallTool = ({ routes, tools, answer, writeObstacle }: CallToolOptions): CallTool => {
  const call: CallTool = async (incoming, tool, given) => {
    const { actor, isDryRun } = incoming.ctx;
    const { route } = tool;
    if (actor.kind !== "token") throw new AppError("NOT_SIGNED_IN");
    if (!mayUse(actor.token.scopes, tool)) throw new AppError("FORBIDDEN", notAllowed(tool));
    checkNames(tool, given, isDryRun);
    const { path, search, body } = toCall(tool, given);
    if (path.length + search.length > limits.urlBytes) throw new AppError("URI_TOO_LONG");
    // Behind this door a path is only a text: none may lead to another call than the tool's own.
    if (!isCanonicalPath(path) || routes.find(route.method, path) !== route)
      throw validationError([{ path: pathFields(tool).join(), message: mcpTexts.badPathValue }]);
    checkQuery(search);
    route.bodyCheck?.(body);
    const obstacle = isChange(route.method, route) ? writeObstacle() : null;
    if (obstacle !== null) throw obstacle;
    const request = new Request(`http://localhost${path}${search}`, {
      method: route.method,
      headers: route.method === "GET" ? {} : { "content-type": "application/json" },
    });
    if (isDryRun) incoming.trace.isRecorded = true;
    admit(request, { ...incoming, body });
    const response = await answer(request);
    return { body: await response.json(), isError: response.status >= 400 };
  };

  const plan: CallTool = async (incoming, tool, given) => {
    checkNames(tool, given);
    const { tool: name, arguments: input } = given;
    const wanted = typeof name === "string" ? tools.get(name) : undefined;
    if (wanted === undefined || wanted.route.planned === null)
      throw validationError([{ path: "tool", message: mcpTexts.noPlan }]);
    if (!isFields(input)) throw validationError([{ path: "arguments", message: mcpTexts.badArguments }]);
    return call({ ...incoming, ctx: { ...incoming.ctx, isDryRun: true } }, wanted, input);
  };

  return async (incoming, tool, given) => {
    const { ctx, trace } = incoming;
    trace.called = { ...tool.route, template: `${tool.route.template} by the tool ${tool.name}` };
    try {
      return await (tool.plans ? plan : call)(incoming, tool, given);
    } catch (error) {
      const known = toAppError(error, "", ctx.requestId, ctx.log);
      trace.failure = known.kind;
      return { body: failureOf(known, ctx.requestId).body, isError: true };
    }
  };
};

const notAllowed = ({ needs }: ReadyTool): string =>
  needs === "any" ? tokenTexts.refused : tokenTexts.scopeMissing(needs);

const checkNames = ({ places, confirms }: ReadyTool, given: RpcFields, isDryRun = false): void => {
  const unknown = Object.keys(given).filter((name) => !places.has(name));
  if (unknown.length > 0)
    throw validationError(
      unknown.slice(0, 20).map((name) => ({ path: name.slice(0, 100), message: fieldTexts.unknown })),
    );
  if (
    confirms !== undefined &&
    !isDryRun &&
    (given.confirm === undefined || given.confirm !== given[confirms])
  )
    throw validationError([{ path: "confirm", message: mcpTexts.confirm(confirms) }]);
};

type Call = { path: string; search: string; body: unknown };

const toCall = (tool: ReadyTool, given: RpcFields): Call => {
  const { route, places, fixed = {} } = tool;
  const at = (place: string) => Object.entries(given).filter(([name]) => places.get(name) === place);
  const inPath = new Map(at("path").map(([name, value]) => [name, textOf(name, value)]));
  const path = route.template.replace(/:(\w+)/g, (_, name: string) => {
    const value = inPath.get(name);
    if (value === undefined) throw validationError([{ path: name, message: fieldTexts.required }]);
    return pathPart(value);
  });
  const query = new URLSearchParams(at("query").map(([name, value]) => [name, textOf(name, value)]));
  const search = query.size === 0 ? "" : `?${query}`;
  if (route.bodyKind === "upload") return { path, search, body: fileOf(given[packageField]) };
  const body = route.bodyCheck === null ? null : { ...fixed, ...Object.fromEntries(at("body")) };
  return { path, search, body };
};

const pathFields = ({ places }: ReadyTool): string[] =>
  [...places].filter(([, place]) => place === "path").map(([name]) => name);

const textOf = (path: string, value: unknown): string => {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw validationError([{ path, message: mcpTexts.badValue }]);
};

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** A package as the door makes it of a form. */
const fileOf = (value: unknown): { name: string; bytes: Uint8Array } => {
  if (typeof value !== "string" || value.length % 4 !== 0 || !base64.test(value))
    throw validationError([{ path: packageField, message: mcpTexts.badPackage }]);
  return { name: "package.zip", bytes: new Uint8Array(Buffer.from(value, "base64")) };
};

/** Something to read. */
type Resource = { uri: string; name: string; title: string; description?: string; mimeType: string };

/** What assistants can read: the index for them, and the documentation that it names; nothing where neither was built. */
type Resources = {
  list(): Promise<Resource[]>;
  /** Rejects with an {@link RpcError} of `code` for what is not listed. */
  read(uri: unknown, code: "params" | "noResource"): Promise<{ uri: string; mimeType: string; text: string }>;
};

const indexPath = "/llms.txt";
const link = /^- \[([^\]\n]+)\]\((\S+?)\)(?:: (.+))?$/gm;

/** Takes them from the public pages. */
export const createResources = (pages: PageServer, appUrl: string): Resources => {
  const load = (path: string): Response =>
    pages.respond({
      ...{ method: "GET", path, search: "", headers: new Headers() },
      ...{ user: null, isKnown: true, hasToken: true },
    });

  const readIndex = async (): Promise<Resource[]> => {
    const response = load(indexPath);
    if (response.status !== 200 || !response.headers.get("content-type")?.startsWith("text/plain")) return [];
    const documents = [...(await response.text()).matchAll(link)].map(
      ([, title = "", uri = "", description]) => ({
        ...{ uri, name: uri.slice(appUrl.length + 1), title, mimeType: "text/html" },
        ...(description === undefined ? {} : { description }),
      }),
    );
    const index = {
      uri: appUrl + indexPath,
      name: "llms.txt",
      title: "What this server is",
      mimeType: "text/plain",
    };
    return [index, ...documents.filter(({ uri }) => isDocument(uri, appUrl))];
  };

  return {
    list: readIndex,
    read: async (uri, code) => {
      const found = (await readIndex()).find((resource) => resource.uri === uri);
      if (found === undefined) throw new RpcError(code, mcpTexts.unknownResource);
      const { mimeType } = found;
      const text = await load(found.uri.slice(appUrl.length)).text();
      return { uri: found.uri, mimeType, text: mimeType === "text/html" ? mainPart(text) : text };
    },
  };
};

const isDocument = (uri: string, appUrl: string): boolean =>
  uri.startsWith(appUrl) && /^\/docs(?:\/[a-z0-9-]+)*$/.test(uri.slice(appUrl.length));

/** A page without its frame. */
const mainPart = (html: string): string => /<main\b[\s\S]*<\/main>/.exec(html)?.[0] ?? html;
