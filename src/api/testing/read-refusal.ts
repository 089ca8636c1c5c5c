import { errorStatus, type FieldError } from "#contract/errors.ts";

/** What a refused call said. */
export type Refusal = {
  status: number;
  code: string;
  message: string;
  errors: FieldError[];
  setsCookie: boolean;
};

// What only the inside of the product says: stacks, statements, paths, the framework's own sentences.
const inside =
  /\bat \S+ \(|node_modules|\.tsx?\b|\bselect\b.*\bfrom\b|\binsert into\b|\bPG[A-Z]|"on":|Expected (?:string|object|kind|property)|\$argon2/i;

/**
 * Reads a failure. Throws unless it is exactly the envelope, with a code that belongs to its status and the request's
 * own id, and says nothing of the product's inside nor any of the `secrets`.
 */
export const readRefusal = async (response: Response, secrets: string[] = []): Promise<Refusal> => {
  const text = await response.text();
  const fail = (why: string) => new Error(`${why}: ${response.status} ${text.slice(0, 500)}`);
  const { success, code, message, requestId, errors = [], ...rest } = parse(text, fail);
  if (success !== false || typeof code !== "string" || typeof message !== "string" || message === "") {
    throw fail("not the envelope");
  }
  if (Reflect.get(errorStatus, code) !== response.status) throw fail("a code of another status");
  if (requestId !== response.headers.get("x-request-id")) throw fail("not the request's own id");
  if (!isComplaints(errors)) throw fail("complaints without path or message");
  const { needsVerification: _allowed, data: _found, ...unknown } = rest;
  if (Object.keys(unknown).length > 0) throw fail("more than the envelope");
  // The path of a field that is not known here is the caller's own word.
  const said = [message, ...errors.map((complaint) => complaint.message)].join("\n");
  if (inside.test(said)) throw fail("something of the inside");
  if (secrets.some((secret) => text.includes(secret))) throw fail("a secret");
  return { status: response.status, code, message, errors, setsCookie: response.headers.has("set-cookie") };
};

const parse = (text: string, fail: (why: string) => Error): Record<string, unknown> => {
  try {
    return { ...JSON.parse(text) };
  } catch {
    throw fail("not JSON");
  }
};

const isComplaints = (value: unknown): value is FieldError[] =>
  Array.isArray(value) &&
  value.every((entry) => typeof entry?.path === "string" && typeof entry?.message === "string");
