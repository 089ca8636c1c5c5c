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
