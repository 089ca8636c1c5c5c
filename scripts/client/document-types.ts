/** A JSON Schema as OpenAPI 3.1 has it, as far as the client and the checks of the document read it. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: { [name: string]: Schema };
  patternProperties?: { [pattern: string]: Schema };
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  default?: unknown;
  contentMediaType?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};

export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
};
type Media = { schema?: Schema };
export type Response = { $ref?: string; description?: string; content?: { [type: string]: Media } };

/** One call. */
export type DescribedOperation = {
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: { [type: string]: Media } };
  responses: { [status: string]: Response };
};

/** The API's own description, as `GET /swagger/json` answers it. */
export type ApiDocument = {
  info: { version: string };
  paths: { [path: string]: { [method: string]: DescribedOperation } };
  components?: { schemas?: { [name: string]: Schema }; responses?: { [name: string]: Response } };
};

/** What a reference within the document is to, or the thing itself. Throws for one that leads nowhere. */
export const resolveIn = <Thing extends { $ref?: string }>(document: ApiDocument, thing: Thing): Thing => {
  if (thing.$ref === undefined) return thing;
  const [, ...steps] = thing.$ref.split("/");
  const found: unknown = steps.reduce<unknown>((at, step) => Reflect.get(Object(at), step), document);
  if (typeof found !== "object" || found === null) throw new Error(`${thing.$ref} leads nowhere`);
  return resolveIn(document, found as Thing);
};
