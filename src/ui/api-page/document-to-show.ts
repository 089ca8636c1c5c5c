type Security = Record<string, unknown>[];

type ApiDocument = {
  servers?: object[];
  paths?: Record<string, Record<string, { security?: Security }>>;
  components?: { securitySchemes?: Record<string, { in?: string }> };
};

/**
 * The API's document as the page shows it. Calls go to where the page came from, whose policy allows no other host. Nobody
 * is asked for a cookie: scripts cannot set it, and the browser sends the session's by itself.
 */
export const documentToShow = (read: unknown, origin: string): object => {
  const document = asApiDocument(read);
  const schemes = Object.entries(document.components?.securitySchemes ?? {});
  const cookies = schemes.filter(([, scheme]) => scheme.in === "cookie").map(([name]) => name);
  const isTyped = (requirement: Security[number]) =>
    Object.keys(requirement).every((name) => !cookies.includes(name));
  return {
    ...document,
    servers: [{ url: origin }],
    components: {
      ...document.components,
      securitySchemes: Object.fromEntries(schemes.filter(([name]) => !cookies.includes(name))),
    },
    paths: mapValues(document.paths ?? {}, (item) =>
      mapValues(item, (operation) =>
        operation.security === undefined
          ? operation
          : { ...operation, security: operation.security.filter(isTyped) },
      ),
    ),
  };
};

const mapValues = <From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));

/** Trusts the server that the page came from. */
const asApiDocument = (read: unknown): ApiDocument => read as ApiDocument;
