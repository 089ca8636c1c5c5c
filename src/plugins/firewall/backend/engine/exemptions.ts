import { createPathTest, type PathTest } from "../rules/path-pattern.ts";
import type { Category, Exemption, InspectedRequest, Place, Subject } from "./engine-types.ts";

/** What of a request is exempt from which patterns. */
export type Exempt = {
  /** Nothing of the request is looked at. */
  isWholly: boolean;
  /** Nothing of its body is looked at, whatever its length. */
  isBodyWholly: boolean;
  covers(subject: Subject, category: Category): boolean;
};

/** The exemptions that hold for a request. A field is named by its own name or by its place in JSON: `user.name`. */
export const exemptionsOf = (request: InspectedRequest, exemptions: readonly Exemption[]): Exempt => {
  const held = exemptions.filter((exemption) => holds(exemption, request));
  const wholes = held.filter(({ fields, categories }) => fields.length === 0 && categories.length === 0);
  return {
    isWholly: wholes.some(({ places }) => places === undefined),
    isBodyWholly: wholes.some(({ places }) => places?.includes("body") ?? true),
    covers: (subject, category) =>
      held.some(
        ({ fields, categories, places }) =>
          (places ?? (fields.length === 0 ? everywhere : withFields)).includes(subject.place) &&
          (fields.length === 0 || fields.some((field) => field.toLowerCase() === subject.name)) &&
          (categories.length === 0 || categories.includes(category)),
      ),
  };
};

const everywhere: readonly Place[] = ["path", "query", "header", "cookie", "body"];
/** A cookie or a header of a field's name is no field. */
const withFields: readonly Place[] = ["query", "body"];

const pathTests = new WeakMap<Exemption, PathTest>();

/** A path with odd writings never matches: what is exempt is what the router would reach by its plain name. */
const holds = (exemption: Exemption, request: InspectedRequest): boolean => {
  const { method, path } = exemption;
  if (method !== "*" && method.toUpperCase() !== request.method.toUpperCase()) return false;
  const test = pathTests.get(exemption) ?? createPathTest(path);
  pathTests.set(exemption, test);
  return test(request.path) && !/%|\\|\/\.|\/\//.test(request.path);
};
