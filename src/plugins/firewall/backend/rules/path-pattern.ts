/** Whether a path, as it came, is what a pattern stands for. */
export type PathTest = (path: string) => boolean;

const plainSegment = /^[A-Za-z0-9_~!$&'()+,=@.-]+$/;
const namedSegment = /^:[A-Za-z][A-Za-z0-9_]*$/;

/** Whether a text is a path pattern: segments, `:name` for any one, `*` at the end for whatever follows. */
export const isPathPattern = (text: string): boolean => {
  if (!text.startsWith("/")) return false;
  const path = text.endsWith("*") ? text.slice(0, -1) : text;
  const segments = path.slice(1).split("/");
  return segments.every(
    (segment, index) =>
      plainSegment.test(segment) ||
      namedSegment.test(segment) ||
      // The root, and a pattern that ends with a slash and a star.
      (segment === "" && index === segments.length - 1 && (text.endsWith("*") || segments.length === 1)),
  );
};

/**
 * Prepares a pattern. Only the one canonical writing of a path leads to a route, so that nothing else needs to match; time
 * by the length of the path alone.
 */
export const createPathTest = (pattern: string): PathTest => {
  const isOpen = pattern.endsWith("*");
  const fixed = isOpen ? pattern.slice(0, -1) : pattern;
  if (!fixed.includes(":")) return isOpen ? (path) => path.startsWith(fixed) : (path) => path === fixed;
  const segments = fixed.split("/");
  return (path) => {
    const parts = path.split("/");
    if (isOpen ? parts.length < segments.length : parts.length !== segments.length) return false;
    return segments.every((segment, index) => {
      const part = parts[index] ?? "";
      if (segment.startsWith(":")) return part !== "";
      return isOpen && index === segments.length - 1 ? part.startsWith(segment) : part === segment;
    });
  };
};
