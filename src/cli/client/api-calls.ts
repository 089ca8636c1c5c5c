import type { App } from "#api/app.ts";

type Api = App["~Routes"]["api"];
type Plugins = Api["plugins"];

/**
 * The API calls of commands that no contract declares, with the types of the very routes that answer them: a route that
 * changes its shape breaks the build here.
 */
type ApiCalls = {
  "GET /api/ready": CallOf<Api["ready"]["get"]>;
  "POST /api/plugins/inspect": CallOf<Plugins["inspect"]["post"]>;
  "POST /api/plugins/upload": CallOf<Plugins["upload"]["post"]>;
};

/** The calls that take a file in a form. */
export type ApiUploadName = Exclude<ApiCallName, "GET /api/ready">;

/** The calls that answer a stream of events, with what their query may hold. */
export type ApiStreams = {
  "/api/admin/activity/stream": Api["admin"]["activity"]["stream"]["get"]["query"];
};

export type ApiCallName = keyof ApiCalls;

/** What the query of a call may hold. */
export type ApiQuery<Name extends ApiCallName> = Partial<ApiCalls[Name]["query"]>;

/** What a call answers: the `data` of its envelope, or the whole of an envelope without. */
export type ApiAnswer<Name extends ApiCallName> = ApiCalls[Name]["answer"];

type CallOf<Route extends { query: unknown; response: unknown }> = {
  query: Route["query"];
  answer: DataOf<SuccessOf<Route["response"]>>;
};

type SuccessOf<Responses> = Responses[keyof Responses & (200 | 201)];
type DataOf<Envelope> = Envelope extends { data: infer Data } ? Data : Envelope;
