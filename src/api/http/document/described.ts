/** A JSON Schema of the document, as far as examples are made from it. */
export type DescribedSchema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  required?: string[];
  properties?: { [name: string]: DescribedSchema };
  patternProperties?: { [pattern: string]: DescribedSchema };
  additionalProperties?: boolean | DescribedSchema;
  items?: DescribedSchema;
  minItems?: number;
  maxItems?: number;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  anyOf?: DescribedSchema[];
  minimum?: number;
  maximum?: number;
};

type Media = { schema?: DescribedSchema; example?: unknown };

/** What is sent or answered, in each of its forms. */
export type DescribedContent = {
  $ref?: string;
  description?: string;
  content?: { [type: string]: Media };
};

/** A part of a path, a query or a header. Source: OpenAPI 3.1 §4.8.12. */
export type DescribedParameter = {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema?: DescribedSchema;
};

/** The API's document, as far as examples and words are put into it. */
export type DescribedDocument = {
  paths: {
    [path: string]: {
      [method: string]: {
        parameters?: DescribedParameter[];
        requestBody?: DescribedContent;
        responses?: { [status: string]: DescribedContent };
      };
    };
  };
  components?: {
    schemas?: { [name: string]: DescribedSchema };
    responses?: { [name: string]: DescribedContent };
  };
};

/** The same record with other values. */
export const mapValues = <Value, Made>(
  record: { [name: string]: Value },
  make: (value: Value, name: string) => Made,
): { [name: string]: Made } =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value, name)]));
