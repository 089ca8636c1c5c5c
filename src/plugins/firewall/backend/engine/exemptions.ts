import type { Category, Exemption, InspectedRequest, Subject } from "./engine-types.ts";

/** What of a request is exempt from which patterns. */
export type Exempt = {
  /** Nothing of the request is looked at. */
  isWholly: boolean;
  covers(subject: Subject, category: Category): boolean;
};

/** The exemptions that hold for a request. A field is named by its own name or by its place in JSON: `user.name`. */
export const exemptionsOf = (request: InspectedRequest, exemptions: readonly Exemption[]): Exempt => {
  const held = exemptions.filter((exemption) => holds(exemption, request));
  return {
    isWholly: held.some(({ fields, categories }) => fields.length === 0 && categories.length === 0),
    covers: (subject, category) =>
      held.some(
        ({ fields, categories }) =>
          (fields.length === 0 ||
            (isField(subject) && fields.some((field) => field.toLowerCase() === subject.name))) &&
          (categories.length === 0 || categories.includes(category)),
      ),
  };
};

const isField = ({ place }: Subject): boolean => place === "body" || place === "query";

/** A path with odd writings never matches: what is exempt is what the router would reach by its plain name. */
const holds = ({ method, path }: Exemption, request: InspectedRequest): boolean => {
  if (method !== "*" && method.toUpperCase() !== request.method.toUpperCase()) return false;
  if (!path.endsWith("*")) return request.path === path;
  return request.path.startsWith(path.slice(0, -1)) && !/%|\\|\/\.|\/\//.test(request.path);
};
