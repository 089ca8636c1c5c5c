import type { App } from "#api/eden.ts";

type Api = App["~Routes"]["api"];
type Plugins = Api["plugins"];
type Plugin = Plugins[":name"];
type Keys = Api["admin"]["plugin-keys"];

/**
 * The API calls that commands make, with the types of the very routes that answer them: a route that changes its
 * shape breaks the build here. A `treaty` client would bring the same types, and with them a run-time dependency and
 * answers whose dates are parsed; three transports and one envelope need neither.
 */
export type ApiCalls = {
  "GET /api/ready": CallOf<Api["ready"]["get"]>;
  "GET /api/plugins": CallOf<Plugins["get"]>;
  "GET /api/plugins/:name": CallOf<Plugin["get"]>;
  "POST /api/plugins/:name/toggle": CallOf<Plugin["toggle"]["post"]>;
  "POST /api/plugins/:name/versions/:version/activate": CallOf<
    Plugin["versions"][":version"]["activate"]["post"]
  >;
  "POST /api/plugins/:name/replace-publisher": CallOf<Plugin["replace-publisher"]["post"]>;
  "DELETE /api/plugins/:name/versions/:version": CallOf<Plugin["versions"][":version"]["delete"]>;
  "POST /api/plugins/:name/restore": CallOf<Plugin["restore"]["post"]>;
  "DELETE /api/plugins/:name/retained/:publisher": CallOf<Plugin["retained"][":publisher"]["delete"]>;
  "DELETE /api/plugins/:name": CallOf<Plugin["delete"]>;
  "GET /api/plugins/:name/logs": CallOf<Plugin["logs"]["get"]>;
  "GET /api/plugins/:name/settings": CallOf<Plugin["settings"]["get"]>;
  "PUT /api/plugins/:name/settings": CallOf<Plugin["settings"]["put"]>;
  "POST /api/plugins/inspect": CallOf<Plugins["inspect"]["post"]>;
  "POST /api/plugins/upload": CallOf<Plugins["upload"]["post"]>;
  "GET /api/admin/plugin-keys": CallOf<Keys["get"]>;
  "POST /api/admin/plugin-keys": CallOf<Keys["post"]>;
  "PATCH /api/admin/plugin-keys/:id": CallOf<Keys[":id"]["patch"]>;
  "POST /api/admin/plugin-keys/:id/revoke": CallOf<Keys[":id"]["revoke"]["post"]>;
};

/** The calls that take a file in a form. */
export type ApiUploadName = "POST /api/plugins/inspect" | "POST /api/plugins/upload";

/** The calls that answer a file, with what their query may hold. */
export type ApiDownloads = {
  "/api/plugins/:name/download": Plugin["download"]["get"]["query"];
};

/** The calls that answer a stream of events, with what their query may hold. */
export type ApiStreams = {
  "/api/admin/activity/stream": Api["admin"]["activity"]["stream"]["get"]["query"];
};

export type ApiCallName = keyof ApiCalls;

/** What a call sends; `params` are the parts of its path that are written `:name`. */
export type ApiInput<Name extends ApiCallName> = {
  params?: ApiCalls[Name]["params"];
  query?: Partial<ApiCalls[Name]["query"]>;
  body?: ApiCalls[Name]["body"];
};

/** What a call answers: the `data` of its envelope, or the whole of an envelope without. */
export type ApiAnswer<Name extends ApiCallName> = ApiCalls[Name]["answer"];

type CallOf<Route extends { params: unknown; body: unknown; query: unknown; response: unknown }> = {
  params: Route["params"] & Record<string, string>;
  body: Route["body"];
  query: Route["query"];
  answer: DataOf<SuccessOf<Route["response"]>>;
};

type SuccessOf<Responses> = Responses[keyof Responses & (200 | 201)];
type DataOf<Envelope> = Envelope extends { data: infer Data } ? Data : Envelope;
