import type { App } from "#api/app.ts";

type Api = App["~Routes"]["api"];
type Settings = Api["auth"]["settings"];
type Plugins = Api["plugins"];
type Plugin = Plugins[":name"];
type Backups = Api["admin"]["backups"];
type Backup = Backups[":place"][":name"];
type Keys = Api["admin"]["plugin-keys"];

/**
 * The API calls that commands make, with the types of the very routes that answer them: a route that changes its
 * shape breaks the build here. A `treaty` client would bring the same types, and with them a run-time dependency and
 * answers whose dates are parsed; three transports and one envelope need neither.
 */
export type ApiCalls = {
  "GET /api/health": CallOf<Api["health"]["get"]>;
  "GET /api/ready": CallOf<Api["ready"]["get"]>;
  "GET /api/system/info": CallOf<Api["system"]["info"]["get"]>;
  "GET /api/system/readiness": CallOf<Api["system"]["readiness"]["get"]>;
  "GET /api/system/status": CallOf<Api["system"]["status"]["get"]>;
  "GET /api/system/support": CallOf<Api["system"]["support"]["get"]>;
  "GET /api/system/secrets": CallOf<Api["system"]["secrets"]["get"]>;
  "POST /api/system/secrets/rotate": CallOf<Api["system"]["secrets"]["rotate"]["post"]>;
  "POST /api/system/snapshots": CallOf<Api["system"]["snapshots"]["post"]>;
  "GET /api/admin/backups": CallOf<Backups["get"]>;
  "GET /api/admin/backups/health": CallOf<Backups["health"]["get"]>;
  "POST /api/admin/backups/proof": CallOf<Backups["proof"]["post"]>;
  "GET /api/admin/backups/run": CallOf<Backups["run"]["get"]>;
  "DELETE /api/admin/backups/run": CallOf<Backups["run"]["delete"]>;
  "POST /api/admin/backups": CallOf<Backups["post"]>;
  "PUT /api/admin/backups/schedule": CallOf<Backups["schedule"]["put"]>;
  "DELETE /api/admin/backups/:place/:name": CallOf<Backup["delete"]>;
  "GET /api/auth/settings/credentials": CallOf<Settings["credentials"]["get"]>;
  "PUT /api/auth/settings/credentials": CallOf<Settings["credentials"]["put"]>;
  "GET /api/auth/settings/accounts": CallOf<Settings["accounts"]["get"]>;
  "PUT /api/auth/settings/accounts": CallOf<Settings["accounts"]["put"]>;
  "GET /api/auth/settings/core": CallOf<Settings["core"]["get"]>;
  "PUT /api/auth/settings/core": CallOf<Settings["core"]["put"]>;
  "GET /api/auth/settings/history": CallOf<Settings["history"]["get"]>;
  "POST /api/auth/settings/history/:id/revert": CallOf<Settings["history"][":id"]["revert"]["post"]>;
  "POST /api/auth/settings/test-redis": CallOf<Settings["test-redis"]["post"]>;
  "POST /api/auth/settings/test-r2": CallOf<Settings["test-r2"]["post"]>;
  "POST /api/auth/settings/test-rate-limit": CallOf<Settings["test-rate-limit"]["post"]>;
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
  "/api/admin/backups/:place/:name/download": Backup["download"]["get"]["query"];
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
