import type { App } from "#api/app.ts";

type Api = App["~Routes"]["api"];

/**
 * The API calls that commands make, with the types of the very routes that answer them: a route that changes its
 * shape breaks the build here. A `treaty` client would bring the same types, and with them a run-time dependency and
 * answers whose dates are parsed; three transports and one envelope need neither.
 */
export type ApiCalls = {
  "GET /api/ready": CallOf<Api["ready"]["get"]>;
  "GET /api/system/info": CallOf<Api["system"]["info"]["get"]>;
  "GET /api/admin/users": CallOf<Api["admin"]["users"]["get"]>;
  "POST /api/admin/users": CallOf<Api["admin"]["users"]["post"]>;
};

export type ApiCallName = keyof ApiCalls;

/** What a call sends. */
export type ApiInput<Name extends ApiCallName> = {
  query?: Partial<ApiCalls[Name]["query"]>;
  body?: ApiCalls[Name]["body"];
};

/** What a call answers: the `data` of its envelope, or the whole of an envelope without. */
export type ApiAnswer<Name extends ApiCallName> = ApiCalls[Name]["answer"];

type CallOf<Route extends { body: unknown; query: unknown; response: unknown }> = {
  body: Route["body"];
  query: Route["query"];
  answer: DataOf<SuccessOf<Route["response"]>>;
};

type SuccessOf<Responses> = Responses[keyof Responses & (200 | 201)];
type DataOf<Envelope> = Envelope extends { data: infer Data } ? Data : Envelope;
