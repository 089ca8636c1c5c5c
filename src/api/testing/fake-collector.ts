/** A span as a collector gets it, with its attributes as plain values. */
type CollectedSpan = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  isFailed: boolean;
  attributes: Record<string, unknown>;
};

/** An OpenTelemetry collector that keeps what it gets, or behaves as it is told. */
export type FakeCollector = {
  url: string;
  spans: CollectedSpan[];
  /** Everything that was sent, as it came. */
  texts: string[];
  headers: Headers[];
  behave(answer: (() => Response | Promise<Response>) | null): void;
  stop(): Promise<void>;
};

/** Listens on a free port. */
export const startFakeCollector = (): FakeCollector => {
  const spans: CollectedSpan[] = [];
  const texts: string[] = [];
  const headers: Headers[] = [];
  let misbehave: (() => Response | Promise<Response>) | null = null;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      if (new URL(request.url).pathname !== "/v1/traces") return new Response(null, { status: 404 });
      headers.push(request.headers);
      const text = await request.text();
      texts.push(text);
      if (misbehave !== null) return misbehave();
      spans.push(...spansIn(JSON.parse(text)));
      return Response.json({});
    },
  });
  return {
    url: server.url.origin,
    ...{ spans, texts, headers },
    behave: (answer) => {
      misbehave = answer;
    },
    stop: () => server.stop(true),
  };
};

const listIn = (value: unknown, name: string): unknown[] => {
  const list: unknown = Reflect.get(Object(value), name);
  return Array.isArray(list) ? list : [];
};

const spansIn = (body: unknown): CollectedSpan[] =>
  listIn(body, "resourceSpans")
    .flatMap((resource) => listIn(resource, "scopeSpans"))
    .flatMap((scope) => listIn(scope, "spans"))
    .map((span) => {
      const read = (name: string): string => String(Reflect.get(Object(span), name) ?? "");
      return {
        name: read("name"),
        traceId: read("traceId"),
        spanId: read("spanId"),
        parentSpanId: read("parentSpanId"),
        isFailed: Reflect.get(Object(Reflect.get(Object(span), "status")), "code") === 2,
        attributes: Object.fromEntries(
          listIn(span, "attributes").map((one) => {
            const value: unknown = Reflect.get(Object(one), "value");
            return [String(Reflect.get(Object(one), "key")), Object.values(Object(value))[0]];
          }),
        ),
      };
    });
