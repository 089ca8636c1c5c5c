import type { ApiCallName } from "#cli/api-calls.ts";
import { calls } from "#contract/calls.ts";
import type { OperationId } from "#contract/create-client.ts";

/** A JSON Schema in which {@link answerOf} and {@link merged} stand for parts of the API's document. */
export type Shape = { [word: string]: unknown };

export const text: Shape = { type: "string" };
export const whole: Shape = { type: "integer" };
export const flag: Shape = { type: "boolean" };
export const anything: Shape = {};

/** An object with exactly these fields; those in `optional` may be missing. */
export const object = (properties: Record<string, Shape>, optional: readonly string[] = []): Shape => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

export const list = (items: Shape): Shape => ({ type: "array", items });
export const orNull = (shape: Shape): Shape => either(shape, { type: "null" });
export const either = (...anyOf: Shape[]): Shape => ({ anyOf });
export const oneOf = (...words: string[]): Shape => ({ type: "string", enum: words });

const endpoints: { readonly [id: string]: string } = calls;

/**
 * The data that an operation or a call answers, or one part of it: names with dots between them, `[]` for what a list holds.
 */
export const answerOf = (call: OperationId | ApiCallName, part = ""): Shape => ({
  $answer: endpoints[call] ?? call,
  part,
});

/** One object with the fields of all. */
export const merged = (...shapes: Shape[]): Shape => ({ $merged: shapes });
