/** A moment's answer or one that takes a while. */
type Soon<Value> = Value | Promise<Value>;

/** Where a client's calls go, and as whom. */
export type ClientOptions = {
  /** The installation's address: `https://atrium.example`. In a page of the installation itself `location.origin`. */
  url: string;
  /** An API token, or what answers one, asked before each call. Without it requests only have what the platform sends on its own. */
  token?: string | (() => Soon<string>) | undefined;
  /** Time limit of each try in milliseconds: default 60,000, `null` for as long as it takes. */
  timeoutMs?: number | null;
  /** How often a call is made again that may be: 2 unless given. See {@link CallOptions.retries}. */
  retries?: number;
  /** The longest wait for a new try, in milliseconds: 30,000 unless given. Where the server asks for more, the call fails. */
  longestWaitMs?: number;
  /** Sent with every call. */
  headers?: Record<string, string>;
  /** What makes the calls: the platform's `fetch` unless given. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

/** What one call may have of its own. */
export type CallOptions = {
  /** Ends the call; it then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** As {@link ClientOptions.timeoutMs}. */
  timeoutMs?: number | null;
  /**
   * How often a call is made again that the server refused with 429 or 503 and a `Retry-After`, after the time that it
   * names. Only calls that may be made twice are: those that read, replace or remove, and those with an idempotency key.
   */
  retries?: number;
  /** Sent with this call. */
  headers?: Record<string, string>;
};

/** For calls that can be made safe to repeat. */
export type IdempotentOptions = CallOptions & {
  /** 8 to 128 visible ASCII characters, the same for each try of one message, a UUID for example: the server takes it once. */
  idempotencyKey?: string;
};

/** What a file can be given as. A `File` brings its own name. */
export type FileInput = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

/** What is sent and answered in an operation, as the generator writes it down. */
export type Operation = {
  method: string;
  /** With `{name}` where a part is filled in. */
  path: string;
  /** What the function takes, in its order; the call's options come last. */
  takes: readonly Taken[];
  /** `data`: what is in the envelope; `response`: the answer as it is, its body unread; `events`: one after the other. */
  answers: "data" | "response" | "events";
  /** The form's field, where a file is sent. */
  field?: string;
};

type Taken = "path" | "body" | "file" | "query";

/** Operations by the name of their group and their own. */
export type Operations = { readonly [group: string]: { readonly [name: string]: Operation } };
